import Threads

/// Tells tasks that something has changed which they look at themselves.
///
/// Whoever waits notes the ``version``, looks, and if there is nothing to be found yet, suspends until the version is
/// another one. So a change between the look and the suspension is not missed: it has raised the version already.
///
/// **Why no waiter is lost, woken twice or left hanging.** A waiter is in the set from the moment it finds the version
/// unchanged, in the same critical section, until it is taken out by exactly one of two: the next change, which takes
/// all of them, or its own cancellation. Whoever took it out delivers to its ``ResumeOnce``, outside of the lock.
public final class ChangeSignal: Sendable {
    private struct State {
        var version = 0
        var nextTicket = 0
        var waiters: [Int: ResumeOnce<Void>] = [:]
    }

    /// Guards version and waiters; only bookkeeping happens while it is held.
    private let state = Locked(State())

    /// A signal of which nobody has heard yet.
    public init() {}

    /// How often something has changed.
    public var version: Int { state.withLock { $0.version } }

    /// Tasks that wait for a change.
    public var waiting: Int { state.withLock { $0.waiters.count } }

    /// Something has changed. Never suspends; any thread.
    public func advance() {
        let waiters = state.withLock { state in
            state.version += 1
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Suspends until something has changed since the version was `seen`; returns at once if that is so already.
    ///
    /// - Throws: `CancellationError` at once if the task is cancelled.
    nonisolated(nonsending) public func changed(since seen: Int) async throws {
        try Task.checkCancellation()
        let waiter = ResumeOnce<Void>()
        let ticket = state.withLock { state -> Int? in
            guard state.version == seen else { return nil }
            state.nextTicket += 1
            state.waiters[state.nextTicket] = waiter
            return state.nextTicket
        }
        guard let ticket else { return }
        try await withTaskCancellationHandler {
            try await waiter.value()
        } onCancel: {
            let abandoned = state.withLock { $0.waiters.removeValue(forKey: ticket) }
            abandoned?.resume(throwing: CancellationError())
        }
    }
}
