import Threads

/// Watches from a thread of its own: how many threads there are, and how long a task waits for Swift's pool that has
/// nothing to do.
final class Observer: Sendable {
    /// Often enough for threads that live for as long as a photo takes, and rarely enough not to count itself.
    private static let interval = Duration.milliseconds(10)

    private struct Seen {
        var peakThreads = 0
        var poolDelays: [Duration] = []
    }

    private let seen = Locked(Seen())
    private let stopRequest = ThreadSemaphore()
    private let hasStopped = ThreadSemaphore()

    /// Begins to watch.
    init() {
        startThread(name: "observer") { [seen, stopRequest, hasStopped] in
            repeat {
                let threads = ProcessFigures.threads
                seen.withLock { $0.peakThreads = max($0.peakThreads, threads) }
                let sent = ContinuousClock.now
                Task.detached {
                    let delay = ContinuousClock.now - sent
                    seen.withLock { $0.poolDelays.append(delay) }
                }
            } while !stopRequest.wait(atMost: Self.interval)
            hasStopped.signal()
        }
    }

    /// Watches no longer.
    ///
    /// - Returns: The most threads at a time, and what 99 of 100 tasks waited at the most.
    func stop() -> (peakThreads: Int, poolDelay: Duration) {
        stopRequest.signal()
        hasStopped.wait()
        return seen.withLock { seen in
            let delays = seen.poolDelays.sorted()
            return (seen.peakThreads, delays.isEmpty ? .zero : delays[(delays.count - 1) * 99 / 100])
        }
    }
}
