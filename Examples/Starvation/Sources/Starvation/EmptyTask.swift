import Threads

/// A task that does nothing: how long it waits is how long every request waits.
final class EmptyTask: Sendable {
    private let answered = ThreadSemaphore()
    private let time = Locked<Duration?>(nil)

    init() {
        let begin = ContinuousClock.now
        Task.detached { [self] in
            time.withLock { $0 = ContinuousClock.now - begin }
            answered.signal()
        }
    }

    /// How long it has waited; `nil` while it does.
    var latency: Duration? { time.withLock { $0 } }

    /// Blocks the calling thread, which no pool may have, until the task has run. Called once.
    func awaited() -> Duration {
        answered.wait()
        return latency ?? .zero
    }
}
