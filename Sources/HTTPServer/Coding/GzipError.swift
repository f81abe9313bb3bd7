/// Why a body that was announced as gzip can't be inflated.
public enum GzipError: Error, Hashable, Sendable {
    /// A header, a block or a checksum is wrong.
    case corrupt
    /// The body ends in the middle of a member.
    case truncated
    /// Something that isn't another member follows a complete one.
    case trailingBytes
    /// There was no memory for the window of 32 KiB.
    case outOfMemory

    /// The slug of every one that is the client's fault.
    public static let slugs = [GzipError]([.corrupt, .truncated, .trailingBytes]).map(\.slug)

    /// A stable name of the kind, fit for a metric label and for the end of a problem type.
    public var slug: String {
        switch self {
        case .corrupt: "corrupt-gzip"
        case .truncated: "truncated-gzip"
        case .trailingBytes: "gzip-trailing-bytes"
        case .outOfMemory: "out-of-memory"
        }
    }

    /// What is wrong, in a sentence for the client's developer.
    public var explanation: String {
        switch self {
        case .corrupt: "The body's Content-Encoding is gzip, but its bytes are not valid gzip."
        case .truncated: "The gzip body ends before its last checksum."
        case .trailingBytes: "Bytes that are not gzip follow the end of the gzip body."
        case .outOfMemory: "The server has no memory left to inflate the body with."
        }
    }
}
