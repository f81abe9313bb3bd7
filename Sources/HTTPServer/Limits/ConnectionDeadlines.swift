/// Which deadline of a connection comes next: events and instants in, instants out; no clock, no timer.
///
/// At any moment the server expects one thing from the client's sending side and perhaps one from its receiving side, so
/// there are two deadlines at most.
struct ConnectionDeadlines {
    /// What the client has to send.
    enum Expectation: Equatable {
        /// Nothing: it is the server's turn.
        case nothing
        /// The first byte of a request.
        case request
        /// The rest of a request's head.
        case head
        /// A body; `isRead` is false while the server doesn't take it.
        case body(isRead: Bool)
        /// Its FIN.
        case end
    }

    /// What the client hasn't done in time.
    enum Expiry: Equatable {
        /// It is told, or not, as the kind of timeout says.
        case timeout(TimeoutKind)
        /// It goes on sending to a connection that is over.
        case linger
    }

    private let limits: TimeLimits
    private var expectation = Expectation.nothing
    /// Counts the connection's requests: the same expectation for another request begins anew.
    private var request = 0
    /// When the client began to be expected to do that.
    private var begin: ContinuousClock.Instant
    /// When it last did something of use.
    private var progress: ContinuousClock.Instant
    /// How long the body may stand still, from `progress` on while it is read.
    private var bodyCredit = Duration.zero
    /// Since when the output waits without moving.
    private var outputStall: ContinuousClock.Instant?

    /// Makes deadlines of which none is set.
    init(limits: TimeLimits, now: ContinuousClock.Instant) {
        self.limits = limits
        begin = now
        progress = now
    }

    /// The server expects this now; nothing changes if it did so before.
    mutating func expect(_ new: Expectation, request number: Int, at now: ContinuousClock.Instant) {
        guard new != expectation || number != request else { return }
        if case (.body(let wasRead), .body) = (expectation, new), number == request {
            if wasRead {
                bodyCredit -= now - progress
            }
            progress = now
        } else {
            begin = now
            progress = now
            bodyCredit = limits.bodyGrace
        }
        expectation = new
        request = number
    }

    /// Bytes have come in that belong to what is expected.
    mutating func received(_ count: Int, at now: ContinuousClock.Instant) {
        if expectation == .body(isRead: true) {
            bodyCredit -= now - progress
        }
        if limits.bodyBytesPerSecond > 0 {
            // More than the stall limit isn't kept, so that no count of bytes makes the product overflow.
            let bought = min(Double(count) / Double(limits.bodyBytesPerSecond), limits.bodyStall / .seconds(1))
            bodyCredit = min(bodyCredit + .seconds(bought), limits.bodyStall)
        }
        progress = now
    }

    /// What waits to be written has changed.
    /// - Parameters:
    ///   - isWaiting: Bytes wait for the client.
    ///   - hasMoved: The client has taken some since the last time.
    mutating func output(isWaiting: Bool, hasMoved: Bool, at now: ContinuousClock.Instant) {
        guard isWaiting else {
            outputStall = nil
            return
        }
        if hasMoved || outputStall == nil {
            outputStall = now
        }
    }

    /// When to look again; nil when the client owes nothing.
    var next: ContinuousClock.Instant? {
        switch (inputDeadline, outputDeadline) {
        case (let input?, let output?): min(input, output)
        case (let input, let output): input ?? output
        }
    }

    /// What the client has failed to do by now.
    func expired(at now: ContinuousClock.Instant) -> Expiry? {
        if let outputDeadline, outputDeadline <= now {
            return .timeout(.write)
        }
        guard let inputDeadline, inputDeadline <= now else { return nil }
        return switch expectation {
        case .nothing: nil
        case .request: .timeout(.idle)
        case .head: .timeout(.header)
        case .body: .timeout(.bodyRate)
        case .end: .linger
        }
    }

    private var outputDeadline: ContinuousClock.Instant? {
        outputStall.map { $0 + limits.write }
    }

    private var inputDeadline: ContinuousClock.Instant? {
        switch expectation {
        case .nothing, .body(isRead: false): nil
        case .request: begin + limits.idle
        case .head: begin + limits.header
        case .body(isRead: true): limits.bodyBytesPerSecond > 0 ? progress + bodyCredit : nil
        case .end: min(progress + limits.lingerIdle, begin + limits.linger)
        }
    }
}
