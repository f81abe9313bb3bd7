import Threads

/// Addresses on their way to the thread that names them, and their names on the way back.
final class NamingTask: Sendable {
    /// Far more than it takes, for a binary of any size.
    private static let timeout = Duration.seconds(10)

    let entries: [CompactBacktrace.Entry]
    private let names = Locked<[CompactBacktrace.Entry: [Frame]]>([:])
    private let done = ThreadSemaphore()

    init(entries: [CompactBacktrace.Entry]) {
        self.entries = entries
    }

    func finish(_ found: [CompactBacktrace.Entry: [Frame]]) {
        names.withLock { $0 = found }
        done.signal()
    }

    /// Blocks until it is finished; without names if that takes too long.
    func wait() -> [CompactBacktrace.Entry: [Frame]] {
        done.wait(atMost: Self.timeout)
        return names.withLock { $0 }
    }
}
