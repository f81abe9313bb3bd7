import HTTPWire

/// A handler's answer. The server adds `Date`, `X-Request-Id`, the framing and what concerns the connection, and
/// deflates bytes of a compressible type for a client that accepts gzip; a Content-Encoding, an ETag or `no-transform`
/// keeps it from that.
public struct Response: Sendable {
    /// What follows the fields.
    public enum Body: Sendable {
        /// Nothing.
        case none
        /// These bytes, with their length told beforehand.
        case bytes([UInt8])
        /// A problem, written as JSON together with the request's id.
        case problem(Problem)
        /// Bytes as they are made: pulled by the server, no faster than the client reads. An error it throws cuts the
        /// connection off, since the status has been sent by then.
        case stream(any AsyncSequence<[UInt8], any Error> & Sendable)
        /// Bytes as a function writes them, called in the request's task once the head has been sent. It ends the
        /// response by returning; an error it throws cuts the connection off, since the status has been sent by then.
        case written(@Sendable (ResponseWriter) async throws -> Void)
    }

    /// The status.
    public var status: HTTPStatus
    /// The header fields. Connection, Content-Length, Date, Transfer-Encoding and X-Request-Id are the server's: what
    /// stands here under these names is left out.
    public var fields: HTTPFields
    /// The content.
    public var body: Body

    /// Makes a response from its parts.
    public init(status: HTTPStatus, fields: HTTPFields = [:], body: Body = .none) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A response whose content is of one type.
    public init(status: HTTPStatus = .ok, contentType: String, bytes: [UInt8]) {
        self.init(status: status, fields: [.contentType: contentType], body: .bytes(bytes))
    }

    /// Plain text in UTF-8.
    public static func text(_ text: String, status: HTTPStatus = .ok) -> Response {
        Response(status: status, contentType: "text/plain; charset=utf-8", bytes: Array(text.utf8))
    }

    /// The answer that tells of a problem.
    public init(_ problem: Problem) {
        var fields = problem.fields
        fields.set(.contentType, "application/problem+json")
        self.init(status: problem.status, fields: fields, body: .problem(problem))
    }
}
