import Threads

/// What a timer queue and its thread share. The thread holds this and not the ``TimerQueue``, so that a queue nobody
/// uses any more can go away and stop it.
final class TimerCore: Sendable {
    typealias Action = @Sendable () -> Void
    typealias Ticket = DeadlineHeap<Action>.Ticket

    private struct State {
        var heap = DeadlineHeap<Action>()
        /// When the thread looks at the heap next without being signalled, never after the earliest entry is due; `nil`
        /// if only a signal makes it look.
        var wakesAt: ContinuousClock.Instant?
        var isStopped = false
    }

    /// Guards the heap. No action runs while it is held.
    private let state = Locked(State())

    /// Posted when an entry is due before the thread would wake by itself. The signal is kept if the thread has
    /// decided how long to sleep but doesn't sleep yet, so an earlier entry can't be missed.
    let wakeUp = ThreadSemaphore()

    var count: Int { state.withLock { $0.heap.count } }

    func insert(due: ContinuousClock.Instant, _ action: @escaping Action) -> Ticket {
        let (ticket, isEarlier) = state.withLock { state in
            let ticket = state.heap.insert(action, due: due)
            if let wakesAt = state.wakesAt, wakesAt <= due { return (ticket, false) }
            state.wakesAt = due
            return (ticket, true)
        }
        if isEarlier {
            wakeUp.signal()
        }
        return ticket
    }

    /// Takes an entry out, which leaves the thread's alarm as it is: at the worst it wakes once for nothing, while
    /// setting it anew would cost a system call for each request that was answered in time.
    func remove(_ ticket: Ticket) -> Bool {
        state.withLock { $0.heap.remove(ticket) } != nil
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    /// The thread's whole life.
    func work() {
        while true {
            switch next() {
            case .fire(let action): action()
            case .sleep(let limit?): wakeUp.wait(atMost: limit)
            case .sleep(nil): wakeUp.wait()
            case .end: return
            }
        }
    }

    private enum Step {
        case fire(Action)
        case sleep(atMost: Duration?)
        case end
    }

    private func next() -> Step {
        state.withLock { state in
            guard !state.isStopped else { return .end }
            let now = ContinuousClock.now
            if let action = state.heap.removeDue(at: now) {
                return .fire(action)
            }
            // An alarm that lies ahead stays, even if its entry was taken out meanwhile. Else each deadline that is met
            // before the thread wakes up for it would leave no alarm, and the next one would have to signal again.
            if state.wakesAt.map({ $0 <= now }) ?? true {
                state.wakesAt = state.heap.earliest
            }
            return .sleep(atMost: state.wakesAt.map { $0 - now })
        }
    }
}
