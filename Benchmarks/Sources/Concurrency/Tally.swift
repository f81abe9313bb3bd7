import Synchronization
import Threads

/// Counts the photos that are done, and tells when half of them are.
final class Tally: Sendable {
    private let done = Atomic(0)
    private let half: Int
    private let halfIsDone = ThreadSemaphore()

    init(count: Int) {
        half = count / 2
    }

    /// Photos whose vectors are there.
    var count: Int { done.load(ordering: .acquiring) }

    /// A photo's vector is there.
    func add() {
        if done.add(1, ordering: .acquiringAndReleasing).newValue == half { halfIsDone.signal() }
    }

    /// Blocks until half of the photos are done.
    func waitForHalf() {
        halfIsDone.wait()
    }
}
