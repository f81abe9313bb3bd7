import Scheduling
import Threads

/// The line in which images wait for their turn: bounded, in the order they came, interactive before batch.
///
/// An image has its turn from decode to vector. There is one turn more than threads that work, so that a core has work
/// while an image passes from its decode to its inference; were decode and inference let in each for itself, both would
/// have a thread for every core, and prepared pictures would pile up before the model.
final class Admission: Sendable {
    private let limits: AdmissionLimits
    private let permits: CancellableSemaphore
    private let timers: TimerQueue
    private let metrics: AnalysisMetrics
    /// Guards the books; nothing but a group's pass is asked while it is held.
    private let ledger: Locked<AdmissionLedger>

    /// - Parameters:
    ///   - turns: Images that are worked on side by side.
    ///   - timers: Where the time in the line is measured.
    init(turns: Int, limits: AdmissionLimits, timers: TimerQueue, metrics: AnalysisMetrics) {
        self.limits = limits
        self.timers = timers
        self.metrics = metrics
        permits = CancellableSemaphore(permits: turns)
        ledger = Locked(AdmissionLedger(limits: limits, turns: turns))
    }

    /// Images that are worked on side by side.
    var turns: Int { permits.permits }

    /// Images that wait.
    var waitingImages: Int { ledger.withLock { $0.waitingImages } }

    /// Bytes of files that wait.
    var waitingBytes: Int { ledger.withLock { $0.waitingBytes } }

    /// When the turn of an image would come that joins the line now.
    var estimatedWait: Duration { ledger.withLock { $0.estimatedWait } }

    /// Runs `work` when its turn has come.
    ///
    /// - Throws: ``Overload`` if the image, or its group, may be refused and is; `CancellationError` at once if the
    ///   task is cancelled while it waits; what `work` throws.
    func withTurn<R>(
        for bytes: Int, _ urgency: Urgency, _ work: () async throws -> R
    ) async throws -> R {
        if try !takeTurnAtOnce(urgency) {
            try await waitForTurn(bytes, urgency)
        }
        let begun = ContinuousClock.now
        var wasCancelled = false
        defer {
            // A turn that was cut short doesn't tell how long those who wait will have theirs.
            if !wasCancelled {
                ledger.withLock { $0.turnEnded(after: .now - begun) }
            }
            permits.release()
        }
        do {
            return try await work()
        } catch let error as CancellationError {
            wasCancelled = true
            throw error
        }
    }

    /// Refuses an image that has waited in vain for another request's work, where it would be refused if it came now.
    /// It is as good as in the line, so it doesn't begin its wait anew.
    ///
    /// - Parameter arrival: Since when it waits.
    /// - Throws: ``Overload``; otherwise nothing has changed.
    func refuseIfNeeded(
        _ bytes: Int, _ urgency: Urgency, waitingSince arrival: ContinuousClock.Instant
    ) throws(Overload) {
        guard urgency.mayBeRefused, permits.available == 0 else { return }
        try countingRefusal { () throws(Overload) in
            try ledger.withLock { ledger throws(Overload) in
                let hasWaitedLongEnough = ContinuousClock.now - arrival >= limits.timeout
                let timeout = Overload(reason: .timeout, retryAfter: ledger.estimatedWait)
                guard let refusal = hasWaitedLongEnough ? timeout : refusal(of: bytes, urgency, ledger) else { return }
                try urgency.admit(unless: refusal)
            }
        }
    }

    private func takeTurnAtOnce(_ urgency: Urgency) throws(Overload) -> Bool {
        guard permits.acquireAtOnce() else { return false }
        do {
            try countingRefusal { () throws(Overload) in try urgency.admit(unless: nil) }
        } catch {
            permits.release()
            throw error
        }
        return true
    }

    private func waitForTurn(_ bytes: Int, _ urgency: Urgency) async throws {
        let isPromised = try join(bytes, urgency)
        defer { ledger.withLock { $0.leave(bytes, urgency.priority, mayBeRefused: urgency.mayBeRefused) } }
        guard urgency.mayBeRefused, !isPromised else {
            return try await permits.acquire(priority: urgency.priority)
        }
        try await waitAtMost(limits.timeout, urgency)
    }

    /// - Returns: Whether the image has been promised its turn, however long that takes.
    private func join(_ bytes: Int, _ urgency: Urgency) throws(Overload) -> Bool {
        try countingRefusal { () throws(Overload) in
            try ledger.withLock { ledger throws(Overload) in
                let isPromised = try urgency.admit(unless: refusal(of: bytes, urgency, ledger))
                ledger.join(bytes, urgency.priority, mayBeRefused: urgency.mayBeRefused)
                return isPromised
            }
        }
    }

    private func refusal(of bytes: Int, _ urgency: Urgency, _ ledger: AdmissionLedger) -> Overload? {
        guard urgency.mayBeRefused else { return nil }
        return ledger.refusal(of: bytes, timeLeft: urgency.deadline.map { $0 - .now })
    }

    private func waitAtMost(_ limit: Duration, _ urgency: Urgency) async throws {
        let hasTurn = Locked(false)
        do {
            try await timers.withDeadline(limit) { [permits] in
                try await permits.acquire(priority: urgency.priority)
                hasTurn.withLock { $0 = true }
            }
        } catch is DeadlineExceeded {
            // The turn may have come in the same moment; then it is used.
            guard !hasTurn.withLock({ $0 }) else { return }
            let refusal = Overload(reason: .timeout, retryAfter: estimatedWait)
            urgency.pass?.revoke(refusal)
            metrics.refused(refusal)
            throw refusal
        }
    }

    @discardableResult
    private func countingRefusal<R>(_ body: () throws(Overload) -> R) throws(Overload) -> R {
        do {
            return try body()
        } catch {
            metrics.refused(error)
            throw error
        }
    }
}
