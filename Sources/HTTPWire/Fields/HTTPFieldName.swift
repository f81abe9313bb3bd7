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
    /// `Accept-Encoding`.
    public static let acceptEncoding: HTTPFieldName = "Accept-Encoding"
    /// `Access-Control-Allow-Headers`.
    public static let accessControlAllowHeaders: HTTPFieldName = "Access-Control-Allow-Headers"
    /// `Access-Control-Allow-Methods`.
    public static let accessControlAllowMethods: HTTPFieldName = "Access-Control-Allow-Methods"
    /// `Access-Control-Allow-Origin`.
    public static let accessControlAllowOrigin: HTTPFieldName = "Access-Control-Allow-Origin"
    /// `Access-Control-Expose-Headers`.
    public static let accessControlExposeHeaders: HTTPFieldName = "Access-Control-Expose-Headers"
    /// `Access-Control-Max-Age`.
    public static let accessControlMaxAge: HTTPFieldName = "Access-Control-Max-Age"
    /// `Access-Control-Request-Headers`.
    public static let accessControlRequestHeaders: HTTPFieldName = "Access-Control-Request-Headers"
    /// `Access-Control-Request-Method`.
    public static let accessControlRequestMethod: HTTPFieldName = "Access-Control-Request-Method"
    /// `Allow`.
    public static let allow: HTTPFieldName = "Allow"
    /// `Authorization`.
    public static let authorization: HTTPFieldName = "Authorization"
    /// `Cache-Control`.
    public static let cacheControl: HTTPFieldName = "Cache-Control"
    /// `Connection`.
    public static let connection: HTTPFieldName = "Connection"
    /// `Content-Encoding`.
    public static let contentEncoding: HTTPFieldName = "Content-Encoding"
    /// `Content-Length`.
    public static let contentLength: HTTPFieldName = "Content-Length"
    /// `Content-Type`.
    public static let contentType: HTTPFieldName = "Content-Type"
    /// `Date`.
    public static let date: HTTPFieldName = "Date"
    /// `ETag`.
    public static let entityTag: HTTPFieldName = "ETag"
    /// `Expect`.
    public static let expect: HTTPFieldName = "Expect"
    /// `Host`.
    public static let host: HTTPFieldName = "Host"
    /// `Keep-Alive`.
    public static let keepAlive: HTTPFieldName = "Keep-Alive"
    /// `Location`.
    public static let location: HTTPFieldName = "Location"
    /// `Origin`.
    public static let origin: HTTPFieldName = "Origin"
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
    /// `Vary`.
    public static let vary: HTTPFieldName = "Vary"
    /// `X-Request-Id`.
    public static let requestID: HTTPFieldName = "X-Request-Id"
}
