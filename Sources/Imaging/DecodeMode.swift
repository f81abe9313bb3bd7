/// How many of a JPEG's pixels are decoded before resampling.
public enum DecodeMode: String, CaseIterable, Sendable {
    /// The decoder may reduce the picture while it decodes, as long as at least twice the resize target is left on
    /// each side. Three to eight times faster on large photos. Only JPEG can be reduced; other formats are decoded
    /// in full.
    case fast
    /// Every pixel is decoded, so the result is bit-equal to Pillow's.
    case exact
}
