/// How a request's body is delimited (RFC 9112 section 6.3).
public enum BodyFraming: Hashable, Sendable {
    /// There is no body.
    case none
    /// Exactly that many bytes, at least one.
    case length(Int)
    /// Chunked transfer coding; the size is known at the end only.
    case chunked
}
