import HTTPWire

/// How a request's body is coded (RFC 9110 section 8.4).
enum ContentCoding: Sendable {
    /// As it is.
    case identity
    /// RFC 1952, also under its old name `x-gzip`.
    case gzip

    /// Names the refusal of any other coding: a metric label, and the end of a problem type.
    static let unsupportedSlug = "unsupported-content-coding"

    /// What the Content-Encoding field says; nil for a coding that isn't known, and for more than one: each further
    /// layer would multiply what a small body can become.
    init?(_ fields: HTTPFields) {
        let codings = fields.listElements(.contentEncoding).map { $0.lowercased() }.filter { $0 != "identity" }
        switch codings {
        case []: self = .identity
        case ["gzip"], ["x-gzip"]: self = .gzip
        default: return nil
        }
    }
}
