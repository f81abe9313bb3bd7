import HTTPWire

/// What is known about a request when it is over.
public struct RequestRecord: Sendable {
    /// How a request ended.
    public enum Outcome: String, Sendable, CaseIterable {
        /// The whole response was handed to the kernel.
        case completed
        /// The client left before that.
        case clientGone = "client_gone"
        /// The client didn't take the response in time.
        case timedOut = "timed_out"
        /// The response broke off: its stream failed, or the handler was cancelled from outside.
        case aborted
        /// The server stopped and the grace was over.
        case stopped
    }

    /// The id that the response carried.
    public let id: String
    /// The other end of the connection.
    public let remoteAddress: SocketAddress
    /// The method, as sent; nil when the head couldn't be read.
    public let method: String?
    /// The path as sent, with its escapes and without the query; nil when the head couldn't be read. Printable ASCII.
    public let path: String?
    /// The route's name, or `Router.unmatchedName`.
    public let route: String
    /// The response's status; nil when none was begun.
    public let status: HTTPStatus?
    /// Bytes of the body that came in, without framing.
    public let bodyBytesReceived: Int
    /// Bytes of the response, head included, that were handed to the kernel or waited for it.
    public let responseBytes: Int
    /// From the head's last byte to the end.
    public let duration: Duration
    /// How it ended.
    public let outcome: Outcome

    /// Makes a record: the server does it, and so can tests of observers.
    public init(
        id: String, remoteAddress: SocketAddress, method: String?, path: String?, route: String, status: HTTPStatus?,
        bodyBytesReceived: Int, responseBytes: Int, duration: Duration, outcome: Outcome
    ) {
        self.id = id
        self.remoteAddress = remoteAddress
        self.method = method
        self.path = path
        self.route = route
        self.status = status
        self.bodyBytesReceived = bodyBytesReceived
        self.responseBytes = responseBytes
        self.duration = duration
        self.outcome = outcome
    }
}
