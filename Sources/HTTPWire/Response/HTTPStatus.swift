/// A response's status code (RFC 9110 section 15).
public struct HTTPStatus: Hashable, Sendable, CustomStringConvertible {
    /// The three-digit code, 100...599.
    public let code: Int

    /// Makes a status from its code; one outside 100...599 is a programming error.
    public init(_ code: Int) {
        precondition((100...599).contains(code), "an HTTP status code has three digits and begins with 1 to 5")
        self.code = code
    }

    /// The code and its reason phrase.
    public var description: String { "\(code) \(reasonPhrase)" }

    /// Whether a response of this status has no content at all, whatever its fields say (RFC 9112 section 6.3).
    public var forbidsBody: Bool { code < 200 || code == 204 || code == 304 }

    /// 100: the client should send the body it holds back.
    public static let `continue` = HTTPStatus(100)
    /// 200.
    public static let ok = HTTPStatus(200)
    /// 202: accepted, the work isn't done yet.
    public static let accepted = HTTPStatus(202)
    /// 204: done, and there is nothing to say.
    public static let noContent = HTTPStatus(204)
    /// 304.
    public static let notModified = HTTPStatus(304)
    /// 400: the request is malformed.
    public static let badRequest = HTTPStatus(400)
    /// 401.
    public static let unauthorized = HTTPStatus(401)
    /// 403.
    public static let forbidden = HTTPStatus(403)
    /// 404.
    public static let notFound = HTTPStatus(404)
    /// 405; carries `Allow`.
    public static let methodNotAllowed = HTTPStatus(405)
    /// 406.
    public static let notAcceptable = HTTPStatus(406)
    /// 408: the client was too slow.
    public static let requestTimeout = HTTPStatus(408)
    /// 409: not in the state that the resource is in.
    public static let conflict = HTTPStatus(409)
    /// 413: the body is larger than the server takes.
    public static let contentTooLarge = HTTPStatus(413)
    /// 414: the request line is too long.
    public static let uriTooLong = HTTPStatus(414)
    /// 415.
    public static let unsupportedMediaType = HTTPStatus(415)
    /// 417: an expectation other than `100-continue`.
    public static let expectationFailed = HTTPStatus(417)
    /// 422: understood, but the content can't be processed.
    public static let unprocessableContent = HTTPStatus(422)
    /// 429.
    public static let tooManyRequests = HTTPStatus(429)
    /// 431: too many or too large header fields.
    public static let requestHeaderFieldsTooLarge = HTTPStatus(431)
    /// 500.
    public static let internalServerError = HTTPStatus(500)
    /// 501: a method that the server doesn't know.
    public static let notImplemented = HTTPStatus(501)
    /// 502.
    public static let badGateway = HTTPStatus(502)
    /// 503.
    public static let serviceUnavailable = HTTPStatus(503)
    /// 504.
    public static let gatewayTimeout = HTTPStatus(504)
    /// 505.
    public static let httpVersionNotSupported = HTTPStatus(505)

    /// The phrase that RFC 9110 (and RFC 6585) gives this code, or a word for its class.
    public var reasonPhrase: String {
        Self.reasonPhrases[code] ?? Self.classPhrases[code / 100 - 1]
    }

    private static let classPhrases = ["Informational", "Success", "Redirection", "Client Error", "Server Error"]

    private static let reasonPhrases: [Int: String] = [
        100: "Continue", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        422: "Unprocessable Content", 426: "Upgrade Required", 428: "Precondition Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported",
    ]
}
