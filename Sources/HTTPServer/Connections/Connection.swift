import HTTPWire
import Scheduling

/// A client's connection. Lives on the reactor: its state is touched nowhere else, and its descriptor is closed in one
/// place, in a turn of its own after nobody watches it any more.
///
/// What happens is decided by `ConnectionState`; this actor feeds it with events and carries out the actions. The
/// parts: `Connection+Input` reads, `Connection+Requests` gets requests answered, `Connection+Output` writes.
actor Connection {
    nonisolated let id: Int
    nonisolated let context: ServerContext
    nonisolated let remoteAddress: SocketAddress
    nonisolated var unownedExecutor: UnownedSerialExecutor { context.reactor.asUnownedSerialExecutor() }

    let descriptor: Int32
    var state: ConnectionState
    var exchange: Exchange?
    var requestCount = 0

    // Input
    var parser: RequestParser
    var decoder: BodyDecoder?
    /// When the first byte of the latest request was there.
    var requestArrival = ContinuousClock.now
    /// Bytes behind a complete request, kept until that is answered.
    var readAhead: [UInt8] = []
    /// Input is being taken apart right now: actions leave going on to that loop instead of starting another.
    var isConsuming = false
    /// While consuming: bytes behind the request at hand are waiting in the input.
    var hasInputInHand = false
    /// It is the others' turn; then the read-ahead's.
    var waitsForTurn = false
    var peerHasFinished = false

    // Output
    var output = OutputQueue()
    /// Who writes a response and waits for room in the output queue.
    var drainWaiters: [ResumeOnce<Void>] = []

    // Limits
    var deadlines: ConnectionDeadlines
    var timer: DeadlineTimer.Ticket?
    /// Bytes in the kernel that the client had not taken when that was last looked at.
    var sendQueueBytes = 0
    var isWatchedForHangUp = false

    private(set) var watch: SocketWatch?
    private let onClosed: @Sendable (Int) -> Void

    /// Takes over an accepted descriptor.
    /// - Parameter onClosed: Called on the reactor with the connection's id, once the descriptor has been closed.
    init(
        id: Int, descriptor: Int32, remoteAddress: SocketAddress, context: ServerContext,
        onClosed: @escaping @Sendable (Int) -> Void
    ) {
        self.id = id
        self.descriptor = descriptor
        self.remoteAddress = remoteAddress
        self.context = context
        self.onClosed = onClosed
        state = ConnectionState(allowsHalfClose: context.configuration.allowsHalfClose)
        parser = RequestParser(limits: context.configuration.requestLimits)
        deadlines = ConnectionDeadlines(limits: context.configuration.timeLimits, now: .now)
    }

    /// Begins to read.
    func start() {
        // The watcher keeps the connection alive until it is closed.
        watch = context.reactor.readiness.watch(
            descriptor,
            onReadable: { self.assumeIsolated { $0.readable() } },
            onWritable: { self.assumeIsolated { $0.flush() } })
        updateReading()
    }

    /// Says that there is no room, and closes as soon as that has arrived.
    func turnAway() {
        output.append(context.turnAwayResponse())
        start()
        flush()
        perform(state.handle(.connectionRefused), closing: .stopped)
    }

    /// The server stops: an idle connection closes now, another one after its response. One that was accepted a moment
    /// ago may still send its first request.
    func requestStop() {
        // A request that has arrived, or begun to, is not cut off because nobody has looked yet.
        readable()
        let mayBegin = requestCount == 0 && parser.isIdle && deadlines.extendsFirstByte(at: .now)
        let isIdle = parser.isIdle && !waitsForTurn && !mayBegin
        perform(state.handle(.stopRequested(isIdle: isIdle)), closing: .stopped)
        updateDeadlines()
    }

    /// Cancels what runs and closes.
    func forceStop() {
        perform(state.handle(.stopForced), closing: .stopped)
    }

    /// Carries out what the state has decided.
    /// - Parameter outcome: What the open request's end is called, should it end by closing.
    func perform(_ actions: ConnectionActions, closing outcome: RequestRecord.Outcome) {
        guard !actions.isEmpty else { return }
        if actions.contains(.sendContinue) {
            output.append(ResponseEncoder.continueResponse)
            flush()
        }
        if actions.contains(.cancelHandler) {
            exchange?.cancellationCause.declare(outcome == .stopped ? .shutdown : .clientGone)
            exchange?.task?.cancel()
        }
        if actions.contains(.failBody) {
            exchange?.pipe?.fail(.clientGone)
        }
        if actions.contains(.discardBody) || actions.contains(.readNextRequest) {
            continueReading()
        }
        if actions.contains(.linger) {
            linger()
        }
        if actions.contains(.close) {
            close(outcome)
        }
    }

    /// Hands on what has come in, and reads the socket exactly while its bytes can be put somewhere.
    func updateReading() {
        exchange?.pipe?.deliver()
        if !state.isClosed, !peerHasFinished, makesRoomForInput() {
            resume(.reading)
            stopWatchingForHangUp()
        } else {
            watch?.pause(.reading)
            watchForHangUp()
        }
        updateDeadlines()
    }

    /// Whether more bytes can be put somewhere. A body that there never will be memory for is refused.
    func makesRoomForInput() -> Bool {
        switch state.receiving {
        case .head: !waitsForTurn
        case .discarding, .ignoring: true
        case .complete: readAhead.count < context.configuration.readAheadBytes
        case .body: makesRoomForBody()
        }
    }

    private func makesRoomForBody() -> Bool {
        guard let exchange, let pipe = exchange.pipe, let account = exchange.bodyAccount else { return true }
        guard !pipe.pausesReading() else { return false }
        let admission = context.bodyBudget.admission(
            of: receiveLimit, for: account,
            retry: { [weak self] in self?.assumeIsolated { $0.updateReading() } })
        switch admission {
        case .admitted:
            return true
        case .waits:
            return false
        case .refused(let error):
            refuseBody(error)
            return !state.isClosed
        }
    }

    /// Wants to hear when the socket takes bytes again, only while there are some.
    func updateWriting() {
        guard !output.isEmpty, !state.isClosed else {
            watch?.pause(.writing)
            return
        }
        resume(.writing)
    }

    /// Where the system has no memory left to watch the socket with, the connection can't go on.
    private func resume(_ direction: SocketWatch.Directions) {
        guard let watch, !watch.resume(direction) else { return }
        context.reactor.run {
            self.assumeIsolated { $0.perform($0.state.handle(.stopForced), closing: .aborted) }
        }
    }

    private func linger() {
        Socket.finishSending(descriptor)
        readAhead = []
        updateReading()
    }

    private func close(_ outcome: RequestRecord.Outcome) {
        finishExchange(outcome)
        output = OutputQueue()
        readAhead = []
        resumeDrainWaiters()
        stopWatchingForHangUp()
        if let timer {
            context.reactor.deadlines.cancel(timer)
        }
        timer = nil
        watch?.cancel()
        watch = nil
        // Whoever has closed it may still be at work with it in this turn, and the descriptor's number will be given to
        // the next connection.
        context.reactor.run { [descriptor, id, onClosed] in
            Socket.close(descriptor)
            onClosed(id)
        }
    }
}
