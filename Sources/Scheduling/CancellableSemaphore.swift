import Threads

/// A weighted semaphore that suspends tasks, never blocks a thread, and gives up at once when its task is cancelled.
///
/// **Order.** Each ``WaitPriority`` has a line of its own, first in, first out. The semaphore always knows whose turn
/// it is: the head of the interactive line, or the head of the batch line if no interactive waiter is there or if
/// ``interactiveGrantsPerBatchGrant`` interactive waiters in a row were served while a batch waiter stood by. Only the
/// one whose turn it is gets permits. If it needs more than there are, everybody else waits too, so a heavy waiter is
/// not starved by light ones that would still fit.
///
/// **Why no permit is lost, no task woken twice, and none left hanging.**
/// A waiter is in a line from the moment it can't be served until it is taken out, and it is taken out under the lock
/// by exactly one of two: a grant, which moves its weight from `available` to it in the same step, or its cancellation,
/// which moves nothing. Whoever took it out delivers its result to its ``ResumeOnce``, after the lock is left; the
/// other one finds the place empty and delivers nothing. So the result comes once, and it says truthfully who owns the
/// permits.
/// - *Cancelled before it waits*: `onCancel` runs at once, takes the waiter out and delivers `CancellationError`
///   before anybody awaits it; the `ResumeOnce` keeps it. A grant that comes that early is kept likewise.
/// - *Cancelled while it waits*: the same, and the continuation is there already.
/// - *Cancelled after the grant*: `acquire` returns normally and the caller owns the permits, which it releases as
///   always; it meets its cancellation at the next check.
///
/// Whose turn it is and whether it fits can only change by a release, an arrival or a departure. All three end with
/// serving everybody who can go, in the critical section of the change. So whenever the lock is free, the one whose
/// turn it is doesn't fit, and the permits it lacks are held by somebody whose `release` will serve again.
///
/// Every operation costs O(1) amortised, plus O(1) for each waiter that it serves.
public final class CancellableSemaphore: Sendable {
    /// How many interactive waiters in a row may be served while a batch waiter stands by; after them one batch waiter
    /// goes first.
    public static let interactiveGrantsPerBatchGrant = 8

    private typealias Waiter = ResumeOnce<Void>

    /// How many permits there are in all.
    public let permits: Int

    /// Guards permits and lines. Only bookkeeping happens while it is held: no continuation is resumed, nothing of
    /// anybody else's is called.
    private let ledger: Locked<PermitLedger<Waiter>>

    /// A semaphore with all its permits available.
    ///
    /// - Parameter permits: how many there are in all, at least 1. The unit is the owner's: requests, bytes, threads.
    public init(permits: Int) {
        precondition(permits >= 1, "a semaphore without permits would never let anybody through")
        self.permits = permits
        ledger = Locked(
            PermitLedger(
                permits: permits, interactiveGrantsPerBatchGrant: Self.interactiveGrantsPerBatchGrant))
    }

    /// Permits that nobody holds. They may be above zero while somebody waits: for more than that.
    public var available: Int {
        ledger.withLock { $0.available }
    }

    /// Tasks of both priorities that wait.
    public var waiting: Int {
        ledger.withLock { $0.waiting(.interactive) + $0.waiting(.batch) }
    }

    /// Tasks of one priority that wait.
    public func waiting(_ priority: WaitPriority) -> Int {
        ledger.withLock { $0.waiting(priority) }
    }

    /// Takes `weight` permits, suspending until it is this task's turn and they are there.
    ///
    /// Returning normally means that the caller owns the permits and has to release them; throwing means that it
    /// owns none. ``withPermits(_:priority:_:)`` does the pairing.
    ///
    /// - Parameter weight: at least 1.
    /// - Throws: `CancellationError` if the task was cancelled before it got its permits, at once;
    ///   ``SemaphoreError/weightExceedsPermits(weight:permits:)`` if `weight` is more than there is in all.
    nonisolated(nonsending) public func acquire(
        _ weight: Int = 1, priority: WaitPriority = .interactive
    ) async throws {
        precondition(weight >= 1, "a weight is at least 1")
        guard weight <= permits else {
            throw SemaphoreError.weightExceedsPermits(weight: weight, permits: permits)
        }
        try Task.checkCancellation()
        // The uncontended case needs neither a waiter nor a cancellation handler.
        guard !acquireAtOnce(weight) else { return }

        let waiter = Waiter()
        let place = enqueue(waiter, weight: weight, priority: priority)
        try await withTaskCancellationHandler {
            try await waiter.value()
        } onCancel: {
            abandon(place)
        }
    }

    /// Takes `weight` permits if they are there and nobody waits for any; never suspends.
    ///
    /// - Parameter weight: at least 1.
    /// - Returns: whether the caller owns the permits now.
    public func acquireAtOnce(_ weight: Int = 1) -> Bool {
        precondition(weight >= 1, "a weight is at least 1")
        return ledger.withLock { $0.takeIfNobodyWaits(weight) }
    }

    /// Gives back `weight` permits, which may serve several waiters. Never suspends; safe on any thread.
    ///
    /// - Precondition: `weight` is at least 1, and no more than was acquired and not yet released. Giving back more
    ///   stops the process, since from then on the semaphore would protect nothing.
    public func release(_ weight: Int = 1) {
        precondition(weight >= 1, "a weight is at least 1")
        let served = ledger.withLock { ledger in
            ledger.giveBack(weight)
            return ledger.serve()
        }
        wake(served)
    }

    /// Runs `body` with `weight` permits, which are released however it ends.
    ///
    /// - Throws: what ``acquire(_:priority:)`` throws, and what `body` throws.
    nonisolated(nonsending) public func withPermits<R>(
        _ weight: Int = 1, priority: WaitPriority = .interactive,
        _ body: nonisolated(nonsending) () async throws -> R
    ) async throws -> R {
        try await acquire(weight, priority: priority)
        defer { release(weight) }
        return try await body()
    }

    private func enqueue(_ waiter: Waiter, weight: Int, priority: WaitPriority) -> PermitLedger<Waiter>.Place {
        let (place, served) = ledger.withLock { ledger in
            let place = ledger.enqueue(waiter, weight: weight, priority: priority)
            return (place, ledger.serve())
        }
        wake(served)
        return place
    }

    private func abandon(_ place: PermitLedger<Waiter>.Place) {
        let (abandoned, served) = ledger.withLock { ledger in
            let waiter = ledger.remove(place)
            return (waiter, ledger.serve())
        }
        abandoned?.resume(throwing: CancellationError())
        wake(served)
    }

    private func wake(_ served: [Waiter]) {
        for waiter in served {
            waiter.resume()
        }
    }
}
