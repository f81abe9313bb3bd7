import HTTPWire

/// What answers one method on the paths of one pattern.
public struct Route: Sendable {
    /// How a request is answered.
    public enum Handler: Sendable {
        /// Right on the reactor, without a task and without an await: it answers while the cooperative pool is starved.
        /// Must return within microseconds and sees no body.
        case immediate(@Sendable (Request) -> Response)
        /// In a task of its own, which is cancelled when the client leaves.
        case async(@Sendable (Request) async throws -> Response)
    }

    /// The method. A GET route answers HEAD, too.
    public let method: HTTPMethod
    /// A path whose segments may be names in braces: `/v1/models/{name}`. A name matches one segment that isn't empty.
    public let pattern: String
    /// Stands for the route in metrics and the log, where a path would be unbounded.
    public let name: String
    /// Most bytes of a body; nil takes the server's `bodyLimitBytes`.
    public let bodyLimitBytes: Int?
    /// Whether the handler reads the body piece by piece and keeps none of the pieces, so that a body of any length
    /// takes bounded memory. One that collects it, or most of it, must not say so: others' bodies would wait for it in
    /// vain.
    public let streamsBody: Bool
    /// What answers.
    public let handler: Handler

    /// Makes a route that is answered by a task.
    public init(
        _ method: HTTPMethod, _ pattern: String, name: String, bodyLimitBytes: Int? = nil, streamsBody: Bool = false,
        handler: @escaping @Sendable (Request) async throws -> Response
    ) {
        self.method = method
        self.pattern = pattern
        self.name = name
        self.bodyLimitBytes = bodyLimitBytes
        self.streamsBody = streamsBody
        self.handler = .async(handler)
    }

    /// Makes a route that is answered right on the reactor.
    public static func immediate(
        _ method: HTTPMethod, _ pattern: String, name: String, answer: @escaping @Sendable (Request) -> Response
    ) -> Route {
        Route(method: method, pattern: pattern, name: name, handler: .immediate(answer))
    }

    private init(method: HTTPMethod, pattern: String, name: String, handler: Handler) {
        self.method = method
        self.pattern = pattern
        self.name = name
        bodyLimitBytes = nil
        streamsBody = false
        self.handler = handler
    }
}
