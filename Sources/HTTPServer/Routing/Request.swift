import HTTPWire

/// A request as its handler gets it.
public struct Request: Sendable {
    /// Method, target and fields.
    public let head: RequestHead
    /// The id that every answer and log line of this request carries: the client's `X-Request-Id` when that is valid,
    /// otherwise one of the server's own.
    public let id: String
    /// The other end of the connection.
    public let remoteAddress: SocketAddress
    /// When its first byte was there.
    public let arrival: ContinuousClock.Instant
    /// The name of the route that was chosen.
    public let route: String
    /// What stood in the path where the route's pattern has names, percent-decoded.
    public let pathParameters: [String: String]
    /// The body, as it comes in. Empty for an immediate route.
    public let body: RequestBody

    /// Makes a request: the server does it, and so can tests of handlers.
    public init(
        head: RequestHead, id: String, remoteAddress: SocketAddress,
        arrival: ContinuousClock.Instant = .now, route: String, pathParameters: [String: String] = [:],
        body: RequestBody = .empty
    ) {
        self.head = head
        self.id = id
        self.remoteAddress = remoteAddress
        self.arrival = arrival
        self.route = route
        self.pathParameters = pathParameters
        self.body = body
    }
}
