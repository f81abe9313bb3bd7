/// Which deadline of a connection comes next: events and instants in, instants out; no clock, no timer.
///
/// At any moment the server expects one thing from the client's sending side and perhaps one from its receiving side,
/// so there are two deadlines at most.
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
        /// The server stops, and its first request hasn't begun.
        case stop
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
    /// When the output was looked at last; nil when none waits.
    private var outputLook: ContinuousClock.Instant?
    /// How long the client may go on taking nothing, from `outputLook` on.
    private var outputCredit = Duration.zero
    /// Until when the first byte is waited for although the server stops.
    private var firstByteLimit: ContinuousClock.Instant?

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
        bodyCredit = Self.credit(
            bodyCredit, afterMoving: count, bytesPerSecond: limits.bodyBytesPerSecond, atMost: limits.bodyStall)
        progress = now
    }

    /// The time that a number of bytes leaves a client with; all there may be where no rate is set.
    private static func credit(
        _ credit: Duration, afterMoving count: Int, bytesPerSecond: Int, atMost limit: Duration
    ) -> Duration {
        guard count > 0 else { return credit }
        guard bytesPerSecond > 0 else { return limit }
        // More than the limit isn't kept, so that no count of bytes makes the product overflow.
        let bought = min(Double(count) / Double(bytesPerSecond), limit / .seconds(1))
        return min(credit + .seconds(bought), limit)
    }

    /// The server stops. A connection that is so young that its first request may be on its way gets a moment more for
    /// it.
    /// - Returns: Whether it does.
    mutating func extendsFirstByte(at now: ContinuousClock.Instant) -> Bool {
        guard expectation == .request, begin + limits.header > now else { return false }
        firstByteLimit = min(now + limits.firstByteWhenStopping, begin + limits.header)
        return true
    }

    /// What waits to be written has changed.
    /// - Parameters:
    ///   - isWaiting: Bytes wait for the client.
    ///   - taken: Bytes that the client has taken since the last time.
    mutating func output(isWaiting: Bool, taken: Int, at now: ContinuousClock.Instant) {
        guard isWaiting else {
            outputLook = nil
            return
        }
        if let outputLook {
            outputCredit = Self.credit(
                outputCredit - (now - outputLook), afterMoving: taken, bytesPerSecond: limits.writeBytesPerSecond,
                atMost: limits.write)
        } else {
            outputCredit = limits.write
        }
        outputLook = now
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
        case .request: firstByteLimit == nil ? .timeout(.idle) : .stop
        case .head: .timeout(.header)
        case .body: .timeout(.bodyRate)
        case .end: .linger
        }
    }

    private var outputDeadline: ContinuousClock.Instant? {
        outputLook.map { $0 + outputCredit }
    }

    private var inputDeadline: ContinuousClock.Instant? {
        switch expectation {
        case .nothing, .body(isRead: false): nil
        case .request: firstByteLimit ?? begin + limits.idle
        case .head: begin + limits.header
        case .body(isRead: true): limits.bodyBytesPerSecond > 0 ? progress + bodyCredit : nil
        case .end: min(progress + limits.lingerIdle, begin + limits.linger)
        }
    }
}
