/// A picture format that this module can decode.
///
/// Which of them are accepted is decided by ``DecodeLimits/enabledFormats``. The raw value is the format's name in
/// answers, metrics and configuration.
public enum ImageFormat: String, CaseIterable, Sendable {
    /// JPEG (ITU-T T.81), baseline and progressive; decoded by libjpeg-turbo.
    case jpeg
    /// Portable Network Graphics (W3C PNG, third edition); decoded by libvips.
    case png
    /// WebP (RFC 9649), lossy and lossless, first frame of an animation; decoded by libwebp and, if animated, by
    /// libvips.
    case webp
    /// GIF 87a and 89a, first frame; decoded by libvips.
    case gif
    /// TIFF 6.0 and BigTIFF, first page; decoded by libvips. Not enabled by default.
    case tiff
}
