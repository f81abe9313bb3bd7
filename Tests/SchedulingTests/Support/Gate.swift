import Threads

/// Holds a lane's thread until the test opens it.
final class Gate: Sendable {
    private let opened = ThreadSemaphore()

    func open() {
        opened.signal()
    }

    /// Blocks; only for threads of a lane.
    func pass() {
        opened.wait()
    }
}
