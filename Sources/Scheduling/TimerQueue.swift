import Threads

/// Deadlines that hold even while every thread of Swift's pool is stuck.
///
/// `Task.sleep` wakes through the default pool: where that is starved, so is the deadline which should have ended the
/// starvation. A Dispatch queue is little better on Linux: a serial queue borrows its thread from the root queue of its
/// QoS, which tasks of the matching priority share, and at 255 threads each root stands still. So the queue has one
/// plain thread of its own. It sleeps until the earliest entry is due and uses no CPU while there is none.
///
/// Made for many deadlines of which few pass: adding and removing one is O(log n) under a short lock. The thread is
/// woken only for an entry that is due before all others, never for a removal; a removed entry leaves nothing behind.
///
/// Time is `ContinuousClock`'s. The thread's sleep is measured on the monotonic clock, so if the machine is suspended
/// meanwhile, an entry comes late by at most that long.
public final class TimerQueue: Sendable {
    /// Names a scheduled action.
    public struct Ticket: Hashable, Sendable {
        fileprivate let entry: TimerCore.Ticket
    }

    /// Internal for the tests, which watch it go away.
    let core = TimerCore()

    /// Starts the thread.
    ///
    /// - Parameter name: the thread's name: 1 to 15 bytes of ASCII without spaces.
    /// - Throws: ``ThreadStartError`` if the system gives no thread.
    public init(name: String = "timers") throws(ThreadStartError) {
        let crew = ThreadRoll.Crew(name: name, idlePlace: core.wakeUp)
        try OwnThread.start(name: name, crew: crew) { [core] in core.work() }
    }

    /// Ends the thread; actions that are still scheduled never run. ``withDeadline(until:_:)`` holds its queue.
    deinit {
        core.stop()
    }

    /// Actions that are scheduled and have not started.
    public var scheduled: Int { core.count }

    /// Runs `action` once on the queue's thread when `instant` has come, at once if it has passed. Actions run one
    /// after the other by their instants.
    ///
    /// For callbacks that may never come: the action delivers an error to the ``ResumeOnce`` that waits for them.
    ///
    /// - Parameter action: short and never blocking, since all other deadlines wait for it.
    /// - Returns: what ``cancel(_:)`` takes.
    @discardableResult
    public func schedule(at instant: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Ticket {
        Ticket(entry: core.insert(due: instant, action))
    }

    /// Takes an action out and frees it. Any thread, never blocks on an action.
    ///
    /// - Returns: `true` if it will never run; `false` if it ran or is running.
    @discardableResult
    public func cancel(_ ticket: Ticket) -> Bool {
        core.remove(ticket.entry)
    }

    /// Runs `body` for at most `limit`; see ``withDeadline(until:_:)``.
    nonisolated(nonsending) public func withDeadline<R: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        try await withDeadline(until: .now + limit, body)
    }

    /// Runs `body` as a child task until it is done or the deadline passes.
    ///
    /// - *The body ends first*: its value or error is the result, and the deadline is removed at once.
    /// - *The deadline passes first*: the body's task is cancelled, from the queue's thread, so that cancellation
    ///   handlers run even while the pool is starved. The body is still awaited, since it is a child; then
    ///   ``DeadlineExceeded`` is thrown, whatever the body returned or threw. Within the body the deadline is the
    ///   ``CancellationCause``.
    /// - *The calling task is cancelled first*: so is the body, and its outcome is the result, usually
    ///   `CancellationError`, even if the deadline passes while it winds up.
    /// - *The deadline has passed already*: ``DeadlineExceeded``; the body is never started.
    ///
    /// A body that ignores cancellation is waited for as long as it takes.
    nonisolated(nonsending) public func withDeadline<R: Sendable>(
        until deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        guard deadline > .now else { throw DeadlineExceeded(deadline: deadline) }
        async let result = runInThisTask(until: deadline, body)
        return try await result
    }

    /// Cancels the task it runs in when the deadline passes, which is why that has to be a child of its own.
    private func runInThisTask<R: Sendable>(
        until deadline: ContinuousClock.Instant, _ body: @Sendable () async throws -> R
    ) async throws -> R {
        try await withUnsafeCurrentTask { currentTask in
            let cause = CancellationCause(within: .current)
            let task = CancellableTask(task: currentTask, cause: cause)
            let expiry = ResumeOnce<Bool>()
            let timer = schedule(at: deadline) {
                expiry.resume(returning: task.cancelUnlessCancelled())
            }
            let outcome: Result<R, any Error>
            do {
                outcome = .success(try await CancellationCause.$current.withValue(cause) { try await body() })
            } catch {
                outcome = .failure(error)
            }
            // Either the timer is taken out here and never touches the task, or the queue's thread has taken it; then
            // the task has to stay until that thread is done with it.
            if !cancel(timer), try await expiry.value() {
                throw DeadlineExceeded(deadline: deadline)
            }
            return try outcome.get()
        }
    }

    /// `@unchecked Sendable`: `UnsafeCurrentTask` may be used within the closure that gave it, and from other threads
    /// as far as `Task` has the same operation, which is so for both used here. `runInThisTask` doesn't leave that
    /// closure before the timer was taken out or has delivered its answer, the last thing it does.
    private struct CancellableTask: @unchecked Sendable {
        let task: UnsafeCurrentTask?
        let cause: CancellationCause

        /// Returns whether the task is cancelled by this call, and not by somebody before.
        func cancelUnlessCancelled() -> Bool {
            guard let task, !task.isCancelled else { return false }
            cause.declare(.deadline)
            task.cancel()
            return true
        }
    }
}
