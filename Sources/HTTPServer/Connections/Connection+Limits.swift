import CLinux
import HTTPWire

/// What a client may take its time for, and clients that leave unseen.
extension Connection {
    /// Tells the deadlines what the client has to do now, and has the reactor's timer look after the next one.
    func updateDeadlines() {
        deadlines.expect(expectation, request: requestCount, at: .now)
        updateTimer()
    }

    /// Tells the deadlines whether the client takes what waits for it.
    /// - Parameter sent: Bytes that the kernel has just taken.
    func updateOutputDeadline(sent: Int) {
        let queued = output.isEmpty ? 0 : Int(clinux_send_queue_bytes(descriptor))
        // The kernel asks for more only when a good part of its buffer is free, so the client's progress shows there
        // first.
        let taken = queued < 0 ? sent : max(0, sendQueueBytes + sent - queued)
        deadlines.output(isWaiting: !output.isEmpty, taken: taken, at: .now)
        sendQueueBytes = max(0, queued)
        updateTimer()
    }

    /// The client has sent its FIN or an RST.
    func clientLeft(_ event: ConnectionEvent) {
        let phase = disconnectPhase
        let actions = state.handle(event)
        if let phase, state.isClosed, !actions.isEmpty {
            context.observer.clientDisconnected(phase)
        }
        perform(actions, closing: .clientGone)
    }

    /// Hears of the client's leaving though its socket isn't read. A FIN means it only where half-closing isn't
    /// allowed: there may be a request before it.
    /// While the connection only waits for its turn, its end can wait, too: what came before it has its answer first.
    func watchForHangUp() {
        guard !state.isClosed, !waitsForTurn, !isWatchedForHangUp else { return }
        isWatchedForHangUp = context.reactor.hangUps.watch(
            descriptor, finishes: !context.configuration.allowsHalfClose
        ) { [weak self] hangUp in
            self?.assumeIsolated { $0.clientLeft(hangUp == .finished ? .peerFinished : .peerReset) }
        }
    }

    /// The socket is read again, or about to be closed.
    func stopWatchingForHangUp() {
        guard isWatchedForHangUp else { return }
        isWatchedForHangUp = false
        context.reactor.hangUps.unwatch(descriptor)
    }

    private var expectation: ConnectionDeadlines.Expectation {
        switch state.receiving {
        case .head: parser.isIdle ? .request : .head
        case .body: .body(isRead: clientOwesBody)
        case .discarding: .body(isRead: true)
        case .complete: .nothing
        case .ignoring: state.isLingering ? .end : .nothing
        }
    }

    /// Whether nothing but the client keeps the body from coming in.
    private var clientOwesBody: Bool {
        watch?.isRunning(.reading) == true && !state.owesContinue && exchange?.pipe?.clientTime.isPaused != true
    }

    private var disconnectPhase: DisconnectPhase? {
        switch (state.responding, state.receiving) {
        case (.started, _): .writing
        case (_, .body), (_, .discarding): .readingBody
        case (.awaited, _): .handling
        case (.idle, .head): parser.isIdle ? nil : .readingHead
        case (.idle, _): nil
        }
    }

    /// A timer that is set too early looks again, so that most changes of the deadlines cost nothing.
    private func updateTimer() {
        guard !state.isClosed, let next = deadlines.next else { return }
        if let timer {
            guard next < timer.due else { return }
            context.reactor.deadlines.cancel(timer)
        }
        timer = context.reactor.deadlines.schedule(at: next) { [weak self] in
            self?.assumeIsolated { $0.lookAtDeadlines() }
        }
    }

    private func lookAtDeadlines() {
        timer = nil
        guard !state.isClosed else { return }
        // What the client has done counts, though the server may have been too busy to see it.
        switch deadlines.expired(at: .now) {
        case .timeout(.write): updateOutputDeadline(sent: 0)
        case .some: readable()
        case nil: break
        }
        if !state.isClosed, let expiry = deadlines.expired(at: .now) {
            expire(expiry)
        }
        updateTimer()
    }

    private func expire(_ expiry: ConnectionDeadlines.Expiry) {
        if case .timeout(let kind) = expiry {
            context.observer.timedOut(kind)
        }
        switch expiry {
        case .timeout(.header):
            refuse(.headTooSlow)
        case .timeout(.bodyRate):
            refuseBody(.tooSlow, closing: .timedOut)
        case .timeout(.idle), .timeout(.write), .linger:
            perform(state.handle(.stopForced), closing: .timedOut)
        case .stop:
            perform(state.handle(.stopForced), closing: .stopped)
        }
        updateReading()
    }
}
