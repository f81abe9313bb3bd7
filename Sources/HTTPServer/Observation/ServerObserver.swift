/// Hears what happens in a server. Called on the reactor: an implementation must return within a microsecond or so, never
/// block and never wait.
public protocol ServerObserver: Sendable {
    /// A connection was accepted.
    func connectionOpened()
    /// A connection's descriptor was closed.
    func connectionClosed()
    /// No descriptor or memory was left to accept a connection with; accepting pauses.
    func acceptExhausted()
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
    public func requestStarted(route: String) {}
    /// Does nothing.
    public func requestFinished(_ record: RequestRecord) {}
    /// Does nothing.
    public func bytesReceived(_ count: Int) {}
    /// Does nothing.
    public func bytesSent(_ count: Int) {}
}
