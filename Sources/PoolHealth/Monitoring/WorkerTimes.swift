import Telemetry

/// What the threads of each pool spent their time with, until it is put into the metric: looking up a series for each
/// thread at each tick would cost more than looking at the thread.
struct WorkerTimes {
    private static let states = ["cpu", "runqueue", "blocked", "parked"]

    /// Seconds by pool and state.
    private var seconds = [[Double]](
        repeating: [Double](repeating: 0, count: states.count), count: Pool.allCases.count)

    /// - Parameter elapsed: since the thread was looked at before.
    mutating func add(_ sample: ThreadSample, elapsed: Duration) {
        let pool = sample.root.pool.index
        let cpu = Double(sample.progress.cpuNanoseconds) / 1e9
        let queue = Double(sample.progress.waitNanoseconds) / 1e9
        seconds[pool][0] += cpu
        seconds[pool][1] += queue
        let rest = max(0, elapsed.inSeconds - cpu - queue)
        switch sample.state {
        case .blocked: seconds[pool][2] += rest
        case .parked: seconds[pool][3] += rest
        case .running, .runnable: break
        }
    }

    mutating func flush(into metric: CounterFamily) {
        for pool in Pool.allCases {
            for (index, state) in Self.states.enumerated() where seconds[pool.index][index] > 0 {
                metric[pool.rawValue, state].increment(by: seconds[pool.index][index])
                seconds[pool.index][index] = 0
            }
        }
    }
}
