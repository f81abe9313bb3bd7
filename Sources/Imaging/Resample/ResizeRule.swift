/// The size to which a picture is resized before it is cropped.
public enum ResizeRule: Hashable, Sendable {
    /// The shorter side gets this many pixels and the longer one keeps the proportion, truncated to an integer:
    /// torchvision's `Resize(int)`.
    case shorterSide(Int)
    /// Both sides are given; the proportion is not kept.
    case exact(width: Int, height: Int)
}
