/// Hears what happens in a server. Called on the reactor: an implementation must return within a microsecond or so,
/// never block and never wait.
public protocol ServerObserver: Sendable {
    /// A connection was accepted.
    func connectionOpened()
    /// A connection's descriptor was closed.
    func connectionClosed()
    /// No descriptor or memory was left to accept a connection with; accepting pauses.
    func acceptExhausted()
    /// A connection was turned away; neither `connectionOpened` nor `connectionClosed` is called for it.
    func connectionRefused(_ reason: RefusalReason)
    /// A client left, with FIN or RST, before it had its answer. Not called for one that leaves between requests.
    func clientDisconnected(_ phase: DisconnectPhase)
    /// A client has used up its time.
    func timedOut(_ kind: TimeoutKind)
    /// A head or a body was refused; `slug` is one of `RequestError.slugs`, `BodyDecodingError.slugs` or
    /// `GzipError.slugs`, or that of the answer to an unknown content coding.
    func inputRefused(slug: String)
    /// A request's head was read, or refused; `route` is the name of its route.
    func requestStarted(route: String)
    /// A request is over; comes once for each that was started.
    func requestFinished(_ record: RequestRecord)
    /// Bytes came in from a socket.
    func bytesReceived(_ count: Int)
    /// Bytes were handed to the kernel.
    func bytesSent(_ count: Int)
}

extension ServerObserver {
    /// Does nothing.
    public func connectionOpened() {}
    /// Does nothing.
    public func connectionClosed() {}
    /// Does nothing.
    public func acceptExhausted() {}
    /// Does nothing.
    public func connectionRefused(_ reason: RefusalReason) {}
    /// Does nothing.
    public func clientDisconnected(_ phase: DisconnectPhase) {}
    /// Does nothing.
    public func timedOut(_ kind: TimeoutKind) {}
    /// Does nothing.
    public func inputRefused(slug: String) {}
    /// Does nothing.
    public func requestStarted(route: String) {}
    /// Does nothing.
    public func requestFinished(_ record: RequestRecord) {}
    /// Does nothing.
    public func bytesReceived(_ count: Int) {}
    /// Does nothing.
    public func bytesSent(_ count: Int) {}
}
