import CLinux
import Synchronization

/// One question to a pool, "is a thread free?", asked again and again, of which at most one is without an answer.
///
/// Asked by the monitor's thread and answered on any other. The answer's time is written last, so whoever sees it sees
/// the thread too.
final class Probe: Sendable {
    let lane: ProbeLane
    let priority: Pool
    /// How much later than asked the answer is due: a timer's delay.
    private let delay: Duration
    private let enqueue: @Sendable (Probe) -> Void

    /// Nanoseconds on the monotonic clock; 0 for none.
    private let sent = Atomic<Int64>(0)
    private let answered = Atomic<Int64>(0)
    private let thread = Atomic<Int32>(0)

    init(lane: ProbeLane, priority: Pool, delay: Duration = .zero, enqueue: @escaping @Sendable (Probe) -> Void) {
        self.lane = lane
        self.priority = priority
        self.delay = delay
        self.enqueue = enqueue
    }

    /// The pool whose threads answer.
    var pool: Pool { root.pool }

    /// The root queue whose threads answer.
    var root: RootQueue { RootQueue(quality: priority, isOvercommit: lane == .gcdSerial || lane == .timer) }

    /// Since when there is no answer; `nil` if there is none to wait for. A timer counts from when it is due.
    var unansweredSince: Duration? {
        let sent = sent.load(ordering: .relaxed)
        guard sent != 0, answered.load(ordering: .acquiring) == 0 else { return nil }
        return .nanoseconds(sent)
    }

    /// The answer that came since the last call, and the thread that gave it.
    func takeAnswer() -> (sent: Duration, answered: Duration, thread: Int32)? {
        let answer = answered.load(ordering: .acquiring)
        guard answer != 0 else { return nil }
        answered.store(0, ordering: .relaxed)
        let asked = sent.exchange(0, ordering: .relaxed)
        return (.nanoseconds(asked), .nanoseconds(max(asked, answer)), thread.load(ordering: .relaxed))
    }

    /// Asks, unless an answer is still to come or to be taken; whether it did.
    func ask() -> Bool {
        guard sent.load(ordering: .relaxed) == 0 else { return false }
        sent.store((Clock.monotonic() + delay).inNanoseconds, ordering: .relaxed)
        enqueue(self)
        return true
    }

    /// To be called by what was enqueued.
    func answer() {
        thread.store(clinux_thread_id(), ordering: .relaxed)
        answered.store(Clock.monotonic().inNanoseconds, ordering: .releasing)
    }
}
