/// What a body turned out to be when it is not a picture that can be decoded.
///
/// It exists so that a refusal can name what was found. The raw value reads well after "found".
public enum UnsupportedContent: String, CaseIterable, Sendable {
    /// No bytes at all.
    case empty
    /// Windows bitmap.
    case bmp
    /// AV1 image file (ISO base media, brands `avif` and `avis`).
    case avif
    /// HEIF or HEIC (ISO base media, brands `heic`, `heix`, `mif1` and their kin).
    case heic
    /// JPEG XL, as a bare codestream or in its container.
    case jpegXL = "jpeg-xl"
    /// JPEG 2000, as a bare codestream or in its container.
    case jpeg2000 = "jpeg-2000"
    /// Scalable Vector Graphics.
    case svg
    /// Windows icon or cursor.
    case icon = "ico"
    /// Photoshop document.
    case photoshop = "psd"
    /// Portable Document Format.
    case pdf
    /// A zip archive, which is also what office documents are.
    case zip
    /// A gzip stream.
    case gzip
    /// A film or a sound in MP4, QuickTime, Matroska, WebM, AVI or Ogg.
    case video
    /// A web page.
    case html
    /// Readable text that is none of the above.
    case text
    /// Nothing that is known here.
    case unknown
}
