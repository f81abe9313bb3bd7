import Telemetry

/// What the threads of each pool spent their time with, until it is put into the metric: adding to a series for each
/// thread at each tick would cost more than looking at the thread.
struct WorkerTimes {
    private struct Seconds {
        var cpu = 0.0
        var runqueue = 0.0
        var blocked = 0.0
        var parked = 0.0
    }

    /// By the index of the pool.
    private var seconds = [Seconds](repeating: Seconds(), count: Pool.allCases.count)

    /// - Parameter elapsed: since the thread was looked at before, in seconds.
    mutating func add(_ sample: ThreadSample, elapsed: Double) {
        let pool = sample.root.pool.index
        let cpu = Double(sample.progress.cpuNanoseconds) / 1e9
        let queue = Double(sample.progress.waitNanoseconds) / 1e9
        seconds[pool].cpu += cpu
        seconds[pool].runqueue += queue
        let rest = max(0, elapsed - cpu - queue)
        switch sample.state {
        case .blocked: seconds[pool].blocked += rest
        case .parked: seconds[pool].parked += rest
        case .running, .runnable: break
        }
    }

    /// Time in which nothing has run: the threads have gone on doing what they did.
    mutating func pass(_ samples: [ThreadSample], elapsed: Double) {
        for sample in samples {
            switch sample.state {
            case .blocked: seconds[sample.root.pool.index].blocked += elapsed
            case .parked: seconds[sample.root.pool.index].parked += elapsed
            case .running, .runnable: break
            }
        }
    }

    mutating func flush(into metric: CounterFamily) {
        for pool in Pool.allCases {
            let spent = seconds[pool.index]
            seconds[pool.index] = Seconds()
            add(spent.cpu, metric, pool, "cpu")
            add(spent.runqueue, metric, pool, "runqueue")
            add(spent.blocked, metric, pool, "blocked")
            add(spent.parked, metric, pool, "parked")
        }
    }

    private func add(_ seconds: Double, _ metric: CounterFamily, _ pool: Pool, _ state: String) {
        if seconds > 0 { metric[pool.rawValue, state].increment(by: seconds) }
    }
}
