/// A resampling filter, by the name that training pipelines use.
public enum ModelInterpolation: String, Codable, CaseIterable, Sendable {
    /// Triangle filter, radius 1.
    case bilinear

    /// Cubic convolution with a = -0.5, radius 2.
    case bicubic

    /// Lanczos-windowed sinc, radius 3.
    case lanczos
}
