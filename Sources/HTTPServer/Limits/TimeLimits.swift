/// How long a client may take for each thing it has to do. None of them is about handlers: how long those take is
/// theirs.
public struct TimeLimits: Equatable, Sendable {
    /// From the first byte of a request's head to its last, whatever trickles in between; then 408 and close.
    public var header = Duration.seconds(10)
    /// Without a byte on a fresh connection, or between two requests; then the connection is closed without a word.
    public var idle = Duration.seconds(75)
    /// What the reading of a body begins with: so long it may stand still before the first byte. Only time in which the
    /// server reads counts: not while the handler or `bodyBudgetBytes` holds it back, nor before `100 Continue` was
    /// sent, nor while the client may wait for the handler (`RequestBody.pauseClientTime()`).
    public var bodyGrace = Duration.seconds(10)
    /// Each so many bytes of a body buy it another second; whose time is used up is answered 408, and the connection
    /// closes. 0 lets bodies take as long as they like.
    public var bodyBytesPerSecond = 1024
    /// Most time that a fast beginning of a body can save up: so long it may stand still at most. At least `bodyGrace`.
    public var bodyStall = Duration.seconds(30)
    /// What a client has in hand to take a response that waits for it, and most that it can save up: so long it may
    /// take nothing. Then the connection is closed.
    public var write = Duration.seconds(30)
    /// Each so many bytes that the client takes of a response buy it another second. 0: each byte buys all of `write`.
    public var writeBytesPerSecond = 1024
    /// When the server stops, a connection that hasn't sent its first byte yet, and is no older than `header`, may do
    /// so for this long.
    public var firstByteWhenStopping = Duration.seconds(1)
    /// A connection that the server closes while the client may still be sending reads on, in order not to wipe out the
    /// response, until the client's FIN or until nothing has come in for this long.
    public var lingerIdle = Duration.seconds(2)
    /// How long such a connection reads on at most, whatever comes in.
    public var linger = Duration.seconds(30)

    /// The defaults.
    public init() {}
}
