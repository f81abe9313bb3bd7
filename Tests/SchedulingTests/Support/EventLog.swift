import Threads

/// What happened, in order, written from tasks and threads.
final class EventLog<Event: Sendable>: Sendable {
    private let log = Locked<[Event]>([])

    var events: [Event] { log.withLock { $0 } }
    var count: Int { log.withLock { $0.count } }

    func append(_ event: Event) {
        log.withLock { $0.append(event) }
    }

    /// Gives the events since the last call.
    func drain() -> [Event] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }
}
