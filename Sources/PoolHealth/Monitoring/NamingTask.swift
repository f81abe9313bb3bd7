import Threads

/// Stacks on their way from one thread to the reporter's and back.
final class NamingTask: Sendable {
    /// Far more than it takes, for a binary of any size.
    private static let timeout = Duration.seconds(10)

    let stacks: [[UInt]]
    private let names = Locked<[[Frame]]?>(nil)
    private let done = ThreadSemaphore()

    init(stacks: [[UInt]]) {
        self.stacks = stacks
    }

    func finish(_ frames: [[Frame]]) {
        names.withLock { $0 = frames }
        done.signal()
    }

    /// Blocks until the reporter has finished; without names if it takes too long.
    func wait() -> [[Frame]] {
        done.wait(atMost: Self.timeout)
        return names.withLock { $0 } ?? stacks.map { _ in [] }
    }
}
