/// The filter that weighs source pixels when a picture is resized.
///
/// Each is the filter of the same name in Pillow. When a picture shrinks, the filter is stretched by the reduction, so
/// that every source pixel counts (antialiasing).
public enum Interpolation: String, CaseIterable, Sendable {
    /// A triangle over two source pixels.
    case bilinear
    /// Keys' cubic with a = -0.5 over four source pixels.
    case bicubic
    /// A sinc windowed by a sinc over six source pixels.
    case lanczos
}
