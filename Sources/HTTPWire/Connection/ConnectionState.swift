/// The life of a server's connection: events in, actions out, no I/O. The only owner of "has a response been started"
/// and "does the connection live on".
///
/// Two halves move on side by side:
///
///     receiving:  head -> body -> complete -> head …         the usual round
///                         body -> discarding -> head          answered before the body was there, little of it left
///                 any  -> ignoring                            malformed, or lingering: bytes are dropped
///     responding: idle -> awaited -> started -> idle …        a request waits for its response; it is being written
///
/// `close` is asked for once; every event after it is ignored.
public struct ConnectionState: Equatable, Sendable {
    /// What incoming bytes are.
    public enum Receiving: Hashable, Sendable {
        /// Part of a request's head.
        case head
        /// Part of the body that the handler reads.
        case body
        /// Part of a body whose request has been answered already.
        case discarding
        /// Behind a complete request that hasn't been answered yet: to be kept for later.
        case complete
        /// Of no use any more.
        case ignoring
    }

    /// How far the answer is.
    public enum Responding: Hashable, Sendable {
        /// No request is open.
        case idle
        /// The handler works; not a byte of the final response has been written.
        case awaited
        /// The response is being written.
        case started
    }

    /// What incoming bytes are.
    public private(set) var receiving = Receiving.head
    /// How far the answer is.
    public private(set) var responding = Responding.idle
    /// Whether the connection lives on after the open response; final once that has started.
    public private(set) var persists = true
    /// Whether the connection has been given up.
    public private(set) var isClosed = false

    /// Whether the client waits for `100 Continue` before it sends the body.
    public private(set) var owesContinue = false

    private let allowsHalfClose: Bool
    private var isStopping = false
    private var peerHasFinished = false

    /// Makes the state of a connection that was just accepted.
    /// - Parameter allowsHalfClose: Whether a client that sends FIN still gets its answers. Usually it means the client
    ///   is gone: TCP can't tell the two apart.
    public init(allowsHalfClose: Bool = false) {
        self.allowsHalfClose = allowsHalfClose
    }

    /// Whether nothing is going on: all responses are written and no body is left over.
    public var isIdle: Bool { receiving == .head && responding == .idle && !isClosed }

    /// Whether the connection only waits for the client's FIN.
    public var isLingering: Bool { receiving == .ignoring && responding == .idle && !isClosed }

    /// Moves on by one event.
    public mutating func handle(_ event: ConnectionEvent) -> ConnectionActions {
        guard !isClosed else { return [] }
        switch event {
        case .requestStarted(let allowsPersistence, let expectsContinue, let hasBody):
            startRequest(allowsPersistence, expectsContinue, hasBody)
            return []
        case .requestRefused:
            receiving = .ignoring
            responding = .awaited
            persists = false
            return []
        case .connectionRefused:
            receiving = .ignoring
            persists = false
            return .linger
        case .bodyReceived:
            // A client that doesn't wait for its 100 doesn't need it (RFC 9110 section 10.1.1).
            owesContinue = false
            return []
        case .bodyCompleted:
            return completeBody()
        case .bodyRefused:
            return refuseBody()
        case .bodyWanted:
            guard owesContinue, responding == .awaited else { return [] }
            owesContinue = false
            return .sendContinue
        case .responseStarted(let allowsPersistence, let restIsDiscardable):
            startResponse(allowsPersistence, restIsDiscardable)
            return []
        case .responseWritten(let hasUnreadInput):
            return endResponse(hasUnreadInput)
        case .responseAbandoned, .peerReset, .stopForced:
            return close()
        case .peerFinished:
            return finishPeer()
        case .stopRequested(let isIdle):
            return stop(isIdle)
        }
    }

    private mutating func startRequest(_ allowsPersistence: Bool, _ expectsContinue: Bool, _ hasBody: Bool) {
        receiving = hasBody ? .body : .complete
        responding = .awaited
        persists = allowsPersistence
        owesContinue = expectsContinue && hasBody
    }

    private mutating func completeBody() -> ConnectionActions {
        guard receiving == .discarding else {
            receiving = .complete
            return []
        }
        receiving = .head
        return .readNextRequest
    }

    private mutating func refuseBody() -> ConnectionActions {
        guard receiving == .body else { return close() }
        receiving = .ignoring
        if responding == .awaited {
            persists = false
        }
        return .failBody
    }

    private mutating func startResponse(_ allowsPersistence: Bool, _ restIsDiscardable: Bool) {
        guard responding == .awaited else { return }
        responding = .started
        // Whether a client that was never told to go on will send its body can't be known.
        let bodyCanBePassed = receiving == .complete || (receiving == .body && restIsDiscardable && !owesContinue)
        persists = persists && allowsPersistence && bodyCanBePassed && !isStopping
        owesContinue = false
    }

    private mutating func endResponse(_ hasUnreadInput: Bool) -> ConnectionActions {
        guard responding == .started else { return [] }
        responding = .idle
        guard persists, !isStopping, receiving != .ignoring, !peerHasFinished || hasUnreadInput else {
            guard receiving != .complete || hasUnreadInput, !peerHasFinished else { return close() }
            receiving = .ignoring
            return .linger
        }
        guard receiving == .complete else {
            receiving = .discarding
            return .discardBody
        }
        receiving = .head
        return .readNextRequest
    }

    private mutating func finishPeer() -> ConnectionActions {
        peerHasFinished = true
        guard allowsHalfClose, receiving == .complete, responding != .idle else { return close() }
        return []
    }

    private mutating func stop(_ isIdle: Bool) -> ConnectionActions {
        isStopping = true
        guard responding == .idle else { return [] }
        if receiving == .head, isIdle { return close() }
        guard receiving == .discarding else { return [] }
        // The rest of the body is on its way, and its answer may be, too.
        receiving = .ignoring
        return .linger
    }

    private mutating func close() -> ConnectionActions {
        isClosed = true
        return responding == .idle ? .close : [.failBody, .cancelHandler, .close]
    }
}
