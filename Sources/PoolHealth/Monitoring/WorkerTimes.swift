import Telemetry

/// What the threads of each pool, or lane, spent their time with, until it is put into the metric: looking up a series for each
/// thread at each tick would cost more than looking at the thread.
struct WorkerTimes {
    private static let states = ["cpu", "runqueue", "blocked", "parked"]

    private let pools: [String]
    /// By the index of the pool, then by state.
    private var seconds: [[Double]]

    /// - Parameter pools: their values of the label `pool`.
    init(pools: [String] = Pool.allCases.map(\.rawValue)) {
        self.pools = pools
        seconds = pools.map { _ in Self.states.map { _ in 0 } }
    }

    /// - Parameter elapsed: since the thread was looked at before.
    mutating func add(_ sample: ThreadSample, elapsed: Duration) {
        add(sample.state, sample.progress, to: sample.root.pool.index, elapsed: elapsed)
    }

    /// - Parameters:
    ///   - progress: since the thread was looked at before.
    ///   - pool: its index in the names that were given.
    mutating func add(_ state: WorkerState, _ progress: ScheduleStatistics, to pool: Int, elapsed: Duration) {
        let cpu = Double(progress.cpuNanoseconds) / 1e9
        let queue = Double(progress.waitNanoseconds) / 1e9
        seconds[pool][0] += cpu
        seconds[pool][1] += queue
        let rest = max(0, elapsed.inSeconds - cpu - queue)
        switch state {
        case .blocked: seconds[pool][2] += rest
        case .parked: seconds[pool][3] += rest
        case .running, .runnable: break
        }
    }

    mutating func flush(into metric: CounterFamily) {
        for (pool, name) in pools.enumerated() {
            for (index, state) in Self.states.enumerated() where seconds[pool][index] > 0 {
                metric[name, state].increment(by: seconds[pool][index])
                seconds[pool][index] = 0
            }
        }
    }
}
