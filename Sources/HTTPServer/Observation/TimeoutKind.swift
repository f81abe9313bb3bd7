/// What a client has not done in time.
public enum TimeoutKind: String, Sendable, CaseIterable {
    /// Send the rest of a request's head.
    case header
    /// Send another request.
    case idle
    /// Send a body fast enough.
    case bodyRate = "body_rate"
    /// Take the response, fast enough.
    case write
}
