/// What the first bytes of a body say it is.
public enum SniffedContent: Hashable, Sendable {
    /// A picture in a format that can be decoded, if it is enabled.
    case image(ImageFormat)
    /// Anything else.
    case unsupported(UnsupportedContent)

    /// A short lower-case name such as `jpeg`, `avif` or `text`.
    public var name: String {
        switch self {
        case .image(let format): format.rawValue
        case .unsupported(let content): content.rawValue
        }
    }
}
