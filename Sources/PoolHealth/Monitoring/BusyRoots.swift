/// The root queues that have anything to do, or may have: their pools are asked all the time, the others seldom. Pure.
struct BusyRoots {
    /// Threads of a root queue of serial queues, beyond the width, from which on it is asked as often as the others.
    private static let manyThreads = 8

    /// By the index of the root queue.
    private var isBusy: [Bool]

    /// All of them: nothing is known.
    init() {
        isBusy = RootQueue.all.map { _ in true }
    }

    /// A worker that nobody has seen may be in the middle of a job, and a thread that nobody knows may be a worker of
    /// any root queue.
    ///
    /// - Parameters:
    ///   - samples: what was seen.
    ///   - threads: of each root queue, by its index.
    ///   - unseen: those of them without a sample.
    ///   - unidentified: threads that may serve any root queue.
    ///   - width: how many tasks of one priority can run at a time.
    ///   - believesParked: whether a worker that seems to have no job has none.
    init(
        _ samples: [ThreadSample], threads: [Int], unseen: [Int], unidentified: Int, width: Int, believesParked: Bool
    ) {
        isBusy = RootQueue.all.map { root in
            if root.isOvercommit {
                // Each of its queues has a thread of its own: only the limit of threads can make one wait for another.
                // Many that nobody knows yet are those of serial queues that come all at once.
                return threads[root.index] + unidentified > width + Self.manyThreads
            }
            return unidentified > 0 || unseen[root.index] > 0
                || samples.contains { $0.root == root && !($0.state == .parked && believesParked) }
        }
    }

    var isEmpty: Bool { !isBusy.contains(true) }

    func contains(_ root: RootQueue) -> Bool { isBusy[root.index] }
}
