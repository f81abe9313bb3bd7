/// What can happen to a connection.
public enum ConnectionEvent: Hashable, Sendable {
    /// The parser has delivered a request's head.
    case requestStarted(allowsPersistence: Bool, expectsContinue: Bool, hasBody: Bool)
    /// The parser has refused a head, or it came too slowly; the server answers by itself.
    case requestRefused
    /// The server has no room for the connection and has said so.
    case connectionRefused
    /// Bytes of the body have come in.
    case bodyReceived
    /// The body is complete.
    case bodyCompleted
    /// The decoder has refused the body, or it came too slowly.
    case bodyRefused
    /// The handler asks for the body.
    case bodyWanted
    /// The response's first byte is about to be written.
    /// - allowsPersistence: The response's own framing lets the connection live on.
    /// - restIsDiscardable: What is left of the body is small enough to be read over.
    case responseStarted(allowsPersistence: Bool, restIsDiscardable: Bool)
    /// The response's last byte has been handed to the kernel.
    /// - hasUnreadInput: Bytes behind the request have come in already.
    case responseWritten(hasUnreadInput: Bool)
    /// There will be no response, or no rest of it.
    case responseAbandoned
    /// The client has sent its FIN.
    case peerFinished
    /// The connection is broken: RST, or a write that failed.
    case peerReset
    /// The server stops: finish what is begun.
    /// - isIdle: Not a byte of another request has come in.
    case stopRequested(isIdle: Bool)
    /// The server's or the connection's patience is over.
    case stopForced
}
