import HTTPWire

/// How a server behaves. Every limit has its unit in its name.
public struct ServerConfiguration: Sendable {
    /// Turns an error that a handler threw into the answer. Called once per request, and not for a client that left.
    public typealias ErrorResponder = @Sendable (_ error: any Error, _ request: Request) -> Response

    /// Runs a request's task.
    public typealias RequestScope = @Sendable (_ request: Request, _ run: @Sendable () async -> Void) async -> Void

    /// Where to listen; port 0 lets the kernel choose.
    public var addresses: [SocketAddress]
    /// Sockets that listen already, made by another process: see `SocketActivation`. The server closes them when it
    /// stops.
    public var inheritedDescriptors: [Int32] = []
    /// Whether other processes of the same user may listen on the same ports, too: the kernel spreads the connections
    /// over all of them (SO_REUSEPORT).
    public var sharesPort = false
    /// The permission bits of a Unix-domain socket's file: whoever may write to it may connect.
    public var unixSocketMode: UInt32 = 0o660
    /// How large a request's head may be.
    public var requestLimits = RequestLimits()
    /// Most bytes of a body where the route doesn't say otherwise.
    public var bodyLimitBytes = 32 * 1024 * 1024
    /// With this many bytes of a body waiting for the handler, the server stops reading the socket. Passed by at most
    /// one read (256 KiB).
    public var bodyHighWaterBytes = 1024 * 1024
    /// Most bytes kept of requests that come in while an earlier one is being answered; then the server stops reading.
    public var readAheadBytes = 64 * 1024
    /// How much of a body that nobody has read may be left for the connection to live on after the response: it is read
    /// over. With more left the connection is closed.
    public var discardableBodyBytes = 64 * 1024
    /// With this many bytes of a streamed response waiting for the client, the stream isn't asked for more.
    public var outputHighWaterBytes = 256 * 1024
    /// Most bytes of all bodies together: those that wait for handlers, a chunk that a handler has got until it asks
    /// for the next one, and what it collected (inflated) until its request is over. Near it the server reads bodies
    /// more slowly, each within its share and its client's; only the oldest one always goes on. Should be at least
    /// twice the largest body that a route takes, and 6 MiB; a body larger than half of it is answered 503 where others
    /// hold the rest.
    public var bodyBudgetBytes = 256 * 1024 * 1024
    /// How long clients may take.
    public var timeLimits = TimeLimits()
    /// Most connections that are served at a time; the next one is answered 503 and closed. Where the process may not
    /// have as many descriptors (RLIMIT_NOFILE, less `descriptorReserve`), fewer.
    public var connectionLimit = 10_000
    /// Descriptors that connections leave to the rest of the process.
    public var descriptorReserve = 64
    /// How long accepting pauses when the process has no descriptors left.
    public var acceptBackoff = Duration.milliseconds(100)
    /// Connections that the kernel may hold until they are accepted.
    public var listenBacklog: Int32 = 1024
    /// Whether a client that sends FIN still gets its answer. By default that means it has left, since TCP can't tell a
    /// half-closed connection from a client that is gone.
    public var allowsHalfClose = false
    /// Whether answers of a compressible type are deflated for clients that accept gzip. Compressed requests are read
    /// in any case.
    public var compressesResponses = true
    /// Answers below this size are sent as they are: they fit into one packet anyway.
    public var compressionMinimumBytes = 1024
    /// Which websites' scripts may read the answers; nil: none, and no field says anything about it.
    public var cors: CORSPolicy?
    /// The Server field's value; nil sends none.
    public var serverName: String?
    /// What the `type` of every problem begins with, before its slug: best an absolute URI (RFC 9457 section 3.1.1).
    public var problemTypePrefix = "/problems/"
    /// What a handler's error becomes.
    public var errorResponder: ErrorResponder = { error, _ in Response(Problem(describing: error)) }

    /// What is wrapped around the whole of each request's task, from before its handler to after the last byte of its
    /// response: for task-local values and for what wants to know about running requests. Must call the function once.
    public var requestScope: RequestScope = { _, run in await run() }

    /// Makes a configuration with default values.
    public init(addresses: [SocketAddress]) {
        self.addresses = addresses
    }
}
