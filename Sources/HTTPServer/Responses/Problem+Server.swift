import HTTPWire

extension Problem {
    /// What an error that a handler threw means for the client: a problem says it itself, a body that can't be read is
    /// 413, 400, 408 or 503, and anything else is a 500 that tells nothing about the inside.
    public init(describing error: any Error) {
        switch error {
        case let problem as Problem:
            self = problem
        case BodyError.tooLarge(let limit):
            self = .bodyTooLarge(limit: limit)
        case BodyError.malformed(let error):
            self = Problem(
                status: error.status, slug: error.slug, title: "Malformed request body", detail: error.explanation)
        case BodyError.budgetExhausted:
            self = .noMemoryForBody
        case BodyError.tooSlow:
            self = .bodyTooSlow
        case BodyError.malformedCoding(let error):
            self = Problem(
                status: error.status, slug: error.slug, title: "Malformed request body", detail: error.explanation)
        default:
            self = Problem(
                status: .internalServerError, slug: "internal-error", title: "Internal error",
                detail: "Something failed inside the server. The instance names this request in its log.")
        }
    }

    init(_ error: RequestError) {
        self.init(
            status: error.status, slug: error.slug, title: error.status.reasonPhrase, detail: error.explanation)
    }

    static func bodyTooLarge(limit: Int) -> Problem {
        let error = BodyDecodingError.tooLarge(limit: limit)
        return Problem(
            status: error.status, slug: error.slug, title: "Body too large", detail: error.explanation,
            members: [Member("limit_bytes", .integer(limit))])
    }

    static let headTooSlow = Problem(
        status: .requestTimeout, slug: "header-timeout", title: "Request timeout",
        detail: "The request's header did not arrive in time.")

    static let bodyTooSlow = Problem(
        status: .requestTimeout, slug: "body-timeout", title: "Request timeout",
        detail: "The request's body arrived too slowly.")

    static let noMemoryForBody = Problem(
        status: .serviceUnavailable, slug: "body-budget-exhausted", title: "No memory for the body",
        detail: "Other requests hold the memory that a body of this size needs. Try again in a moment.",
        fields: [.retryAfter: "1"])

    static let tooManyConnections = Problem(
        status: .serviceUnavailable, slug: "too-many-connections", title: "Too many connections",
        detail: "The server has no room for another connection. Try again in a moment.", fields: [.retryAfter: "1"])

    /// Names what is accepted in Accept-Encoding (RFC 9110 section 15.5.16).
    static let unsupportedContentCoding = Problem(
        status: .unsupportedMediaType, slug: ContentCoding.unsupportedSlug, title: "Unsupported content coding",
        detail: "A body may be sent as it is or with one content coding: gzip.", fields: [.acceptEncoding: "gzip"])

    static let notFound = Problem(
        status: .notFound, slug: "not-found", title: "Not found", detail: "There is nothing at this path.")

    static func methodNotAllowed(_ allowed: String) -> Problem {
        Problem(
            status: .methodNotAllowed, slug: "method-not-allowed", title: "Method not allowed",
            detail: "This path answers to \(allowed).", fields: [.allow: allowed])
    }

    static let methodNotImplemented = Problem(
        status: .notImplemented, slug: "method-not-implemented", title: "Method not implemented",
        detail: "The server doesn't know this method. Methods are case-sensitive.")
}
