/// How many threads of a pool are doing what, at one look.
struct PoolCensus: Equatable, Sendable {
    var running = 0
    var runnable = 0
    var blocked = 0
    var parked = 0
    /// Those of the blocked ones that haven't moved since the last look.
    var frozen = 0
    /// Threads of the largest root queue of the pool.
    var largestRoot = 0
    /// How many of those are parked.
    var largestRootParked = 0
    /// Threads of the process that have been running at every look so far, and may be this pool's.
    var newcomers = 0

    /// Threads that would get on if there were enough processors.
    var ready: Int { running + runnable }

    /// Threads with a job.
    var busy: Int { ready + blocked }

    /// Whether anything is known of the pool's threads. One that is asleep is no newcomer.
    var isKnown: Bool { busy + parked + newcomers > 0 }

    mutating func add(_ sample: ThreadSample) {
        add(sample.state)
        if sample.isFrozen { frozen += 1 }
    }

    mutating func add(_ state: WorkerState) {
        switch state {
        case .running: running += 1
        case .runnable: runnable += 1
        case .blocked: blocked += 1
        case .parked: parked += 1
        }
    }
}
