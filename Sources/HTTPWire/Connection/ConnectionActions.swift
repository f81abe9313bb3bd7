/// What the owner of a connection has to do after an event, in the order of the declarations below.
public struct ConnectionActions: OptionSet, Hashable, Sendable {
    /// One bit an action.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Write `100 Continue`.
    public static let sendContinue = ConnectionActions(rawValue: 1 << 0)
    /// Cancel the handler. Comes before `failBody`, so that a handler whose body fails because the client left already
    /// finds itself cancelled.
    public static let cancelHandler = ConnectionActions(rawValue: 1 << 1)
    /// Let the handler's reading of the body fail.
    public static let failBody = ConnectionActions(rawValue: 1 << 2)
    /// Throw away what is left of the body, and go on reading it.
    public static let discardBody = ConnectionActions(rawValue: 1 << 3)
    /// Read the next request: first from the bytes that came in early.
    public static let readNextRequest = ConnectionActions(rawValue: 1 << 4)
    /// Send FIN, then read and drop until the client's FIN or a deadline: closing at once would answer the client's
    /// unread bytes with an RST, which can wipe out the response on its way (RFC 9112 section 9.6).
    public static let linger = ConnectionActions(rawValue: 1 << 5)
    /// Close the connection.
    public static let close = ConnectionActions(rawValue: 1 << 6)
}
