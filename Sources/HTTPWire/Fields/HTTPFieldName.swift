/// A header field's name: one or more token characters (RFC 9110 section 5.1). Keeps its spelling; two names are equal
/// when they differ in case only.
public struct HTTPFieldName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it was spelled.
    public let spelling: String

    /// Makes a name from text; nil unless it consists of token characters.
    public init?(_ spelling: String) {
        guard !spelling.isEmpty, spelling.utf8.allSatisfy(ASCII.isToken) else { return nil }
        self.spelling = spelling
    }

    /// Makes a name from a literal in the source; an invalid one is a programming error.
    public init(stringLiteral literal: String) {
        precondition(
            !literal.isEmpty && literal.utf8.allSatisfy(ASCII.isToken), "\(literal) is not a header field's name")
        spelling = literal
    }

    /// The name as it was spelled.
    public var description: String { spelling }

    /// Compares without case.
    public static func == (left: HTTPFieldName, right: HTTPFieldName) -> Bool {
        left.spelling.utf8.elementsEqual(right.spelling.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }

    /// Hashes without case.
    public func hash(into hasher: inout Hasher) {
        for byte in spelling.utf8 {
            hasher.combine(ASCII.lowercased(byte))
        }
    }

    /// `Accept`.
    public static let accept: HTTPFieldName = "Accept"
    /// `Allow`.
    public static let allow: HTTPFieldName = "Allow"
    /// `Authorization`.
    public static let authorization: HTTPFieldName = "Authorization"
    /// `Cache-Control`.
    public static let cacheControl: HTTPFieldName = "Cache-Control"
    /// `Connection`.
    public static let connection: HTTPFieldName = "Connection"
    /// `Content-Length`.
    public static let contentLength: HTTPFieldName = "Content-Length"
    /// `Content-Type`.
    public static let contentType: HTTPFieldName = "Content-Type"
    /// `Date`.
    public static let date: HTTPFieldName = "Date"
    /// `Expect`.
    public static let expect: HTTPFieldName = "Expect"
    /// `Host`.
    public static let host: HTTPFieldName = "Host"
    /// `Keep-Alive`.
    public static let keepAlive: HTTPFieldName = "Keep-Alive"
    /// `Retry-After`.
    public static let retryAfter: HTTPFieldName = "Retry-After"
    /// `Server`.
    public static let server: HTTPFieldName = "Server"
    /// `Server-Timing`.
    public static let serverTiming: HTTPFieldName = "Server-Timing"
    /// `Transfer-Encoding`.
    public static let transferEncoding: HTTPFieldName = "Transfer-Encoding"
    /// `User-Agent`.
    public static let userAgent: HTTPFieldName = "User-Agent"
    /// `X-Request-Id`.
    public static let requestID: HTTPFieldName = "X-Request-Id"
}
