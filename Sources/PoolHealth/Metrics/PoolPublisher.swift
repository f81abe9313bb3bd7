/// Puts the state of the pools into the metrics. Used by the monitor's thread only.
struct PoolPublisher {
    private let metrics: PoolMetrics
    /// By the index of the root queue.
    private var created = [Int](repeating: 0, count: RootQueue.all.count)

    init(metrics: PoolMetrics) {
        self.metrics = metrics
    }

    /// What never changes.
    func publishOnce(width: Int, quota: Double?) {
        for pool in Pool.allCases {
            metrics.width[pool.rawValue].set(Double(width))
            metrics.quota[pool.rawValue].set(quota ?? .infinity)
        }
    }

    func publish(_ mode: MonitorMode) {
        for other in MonitorMode.allCases { metrics.mode[other.rawValue].set(other == mode ? 1 : 0) }
    }

    mutating func publish(_ report: PoolReport) {
        for line in report.pools { publish(line.census, line.waits, of: line.pool.rawValue, width: report.width) }
        for line in report.lanes {
            metrics.width[line.lane].set(Double(line.threads))
            publish(line.census, line.waits, of: line.lane, width: line.threads)
        }
        for probe in report.probes {
            metrics.probeAge[probe.lane.rawValue, probe.priority.rawValue].set(probe.age.inSeconds)
        }
        publishRoots(report)
    }

    private func publish(_ census: PoolCensus, _ waits: [WaitKind: Int], of name: String, width: Int) {
        metrics.workers[name, "running"].set(Double(census.running))
        metrics.workers[name, "runnable"].set(Double(census.runnable))
        metrics.workers[name, "blocked"].set(Double(census.blocked))
        metrics.workers[name, "parked"].set(Double(census.parked))
        metrics.saturation[name].set(Double(census.busy) / Double(max(1, width)))
        for wait in WaitKind.allCases {
            metrics.blockedWorkers[name, wait.rawValue].set(Double(waits[wait] ?? 0))
        }
    }

    private mutating func publishRoots(_ report: PoolReport) {
        var inPool = [Int](repeating: 0, count: Pool.allCases.count)
        for (root, threads) in zip(RootQueue.all, report.threadsPerRoot) {
            inPool[root.pool.index] += threads
            metrics.gcdThreads[root.name].set(Double(threads))
        }
        for pool in Pool.allCases { metrics.rootThreads[pool.rawValue].set(Double(inPool[pool.index])) }
        for (root, count) in zip(RootQueue.all, report.createdPerRoot) {
            metrics.gcdThreadsCreated[root.name].increment(by: count - created[root.index])
            created[root.index] = count
        }
    }
}
