/// How a response's content is delimited (RFC 9112 section 6), and whether it is sent at all. Exactly one of
/// Content-Length and Transfer-Encoding, or neither, follows from it: nothing else writes these fields.
public enum ResponseFraming: Hashable, Sendable {
    /// No content and no length: 1xx, 204 and 304.
    case noContent
    /// Content-Length; the content is left out in the answer to HEAD.
    case length(Int, sendsContent: Bool)
    /// Chunked coding; the content is left out in the answer to HEAD.
    case chunked(sendsContent: Bool)
    /// The content ends with the connection: an unknown length for an HTTP/1.0 client.
    case untilClose(sendsContent: Bool)

    /// Chooses the framing.
    /// - Parameter contentLength: The content's size; nil when it isn't known beforehand.
    public init(status: HTTPStatus, contentLength: Int?, method: HTTPMethod?, version: HTTPVersion) {
        let sendsContent = method != .head
        if status.forbidsBody {
            self = .noContent
        } else if let contentLength {
            self = .length(contentLength, sendsContent: sendsContent)
        } else if version == .http11 {
            self = .chunked(sendsContent: sendsContent)
        } else {
            self = .untilClose(sendsContent: sendsContent)
        }
    }

    /// Whether content follows the head.
    public var sendsContent: Bool {
        switch self {
        case .noContent: false
        case .length(let length, let sendsContent): sendsContent && length > 0
        case .chunked(let sendsContent), .untilClose(let sendsContent): sendsContent
        }
    }

    /// Whether the connection may live on after such a response.
    public var allowsPersistence: Bool {
        if case .untilClose = self { false } else { true }
    }
}
