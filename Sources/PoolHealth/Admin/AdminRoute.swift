import HTTPWire

/// A path of the admin listener and who answers it.
public struct AdminRoute: Sendable {
    /// GET, which HEAD comes with, or POST.
    public let method: HTTPMethod
    /// The path, compared as a whole.
    public let path: String
    /// Runs on one of the listener's threads; must never wait for a pool, a queue or a lock that they may hold.
    public let answer: @Sendable (AdminRequest) -> AdminResponse

    /// A route.
    public init(
        _ method: HTTPMethod, _ path: String, answer: @escaping @Sendable (AdminRequest) -> AdminResponse
    ) {
        self.method = method
        self.path = path
        self.answer = answer
    }

    /// A route for GET and HEAD.
    public init(_ path: String, answer: @escaping @Sendable (AdminRequest) -> AdminResponse) {
        self.init(.get, path, answer: answer)
    }
}
