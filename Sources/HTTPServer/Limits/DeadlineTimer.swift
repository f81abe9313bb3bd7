@preconcurrency import Dispatch
import Scheduling

/// The reactor's one timer: fires at the earliest of all deadlines, and is not armed while there is none.
///
/// Invariant behind `@unchecked Sendable`: used on the reactor's queue only; the source's handler, which runs there, is
/// what carries it across.
final class DeadlineTimer: @unchecked Sendable {
    private typealias Action = @Sendable () -> Void

    /// Names an entry.
    struct Ticket {
        fileprivate let entry: DeadlineHeap<@Sendable () -> Void>.Ticket
        /// When it is due.
        let due: ContinuousClock.Instant
    }

    private var heap = DeadlineHeap<Action>()
    private let source: any DispatchSourceTimer
    /// For when the source is set; nil while it isn't.
    private var armed: ContinuousClock.Instant?

    /// Makes a timer on the reactor's queue.
    init(queue: DispatchQueue) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .distantFuture)
        source.setEventHandler { @Sendable [weak self] in self?.fire() }
        source.resume()
    }

    deinit {
        source.cancel()
    }

    /// Whether the timer will fire.
    var isArmed: Bool { armed != nil }

    /// Calls `action` on the reactor when `due` has come.
    func schedule(at due: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Ticket {
        let entry = heap.insert(action, due: due)
        arm()
        return Ticket(entry: entry, due: due)
    }

    /// Takes an entry out, which may have fired already.
    func cancel(_ ticket: Ticket) {
        _ = heap.remove(ticket.entry)
        if heap.earliest == nil {
            arm()
        }
    }

    private func fire() {
        armed = nil
        let now = ContinuousClock.now
        while let action = heap.removeDue(at: now) {
            action()
        }
        arm()
    }

    /// A later deadline needs no change: the timer fires early once and is set again.
    private func arm() {
        guard let earliest = heap.earliest else {
            if armed != nil {
                armed = nil
                source.schedule(deadline: .distantFuture)
            }
            return
        }
        if let armed, armed <= earliest { return }
        armed = earliest
        source.schedule(deadline: .now() + (earliest - .now).dispatchInterval)
    }
}
