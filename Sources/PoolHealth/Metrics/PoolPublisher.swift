import Telemetry

/// Puts the state of the pools into the metrics. Used by the monitor's thread only.
struct PoolPublisher {
    private let metrics: PoolMetrics
    /// By the index of the pool.
    private let pools: [PoolGauges]
    /// In the order of the lanes' names.
    private let lanes: [PoolGauges]
    /// By the index of the root queue.
    private let roots: [(threads: Gauge, created: Counter)]
    private var created = [Int](repeating: 0, count: RootQueue.all.count)
    /// One for each probe, from the first report on.
    private var probeAges: [Gauge] = []

    /// - Parameter lanes: the names of the program's own, in the order in which reports have them.
    init(metrics: PoolMetrics, lanes: [String]) {
        self.metrics = metrics
        pools = Pool.allCases.map { PoolGauges($0, metrics: metrics) }
        self.lanes = lanes.map { PoolGauges(lane: $0, metrics: metrics) }
        roots = RootQueue.all.map { (metrics.gcdThreads[$0.name], metrics.gcdThreadsCreated[$0.name]) }
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
        if probeAges.isEmpty {
            probeAges = report.probes.map { metrics.probeAge[$0.lane.rawValue, $0.priority.rawValue] }
        }
        for (probe, gauge) in zip(report.probes, probeAges) { gauge.set(probe.age.inSeconds) }
        let inPool = publishRoots(report)
        for line in report.pools {
            pools[line.pool.index].publish(line, width: report.width, threads: inPool[line.pool.index])
        }
        for (line, gauges) in zip(report.lanes, lanes) { gauges.publish(line) }
    }

    /// Threads of each pool, by its index.
    private mutating func publishRoots(_ report: PoolReport) -> [Int] {
        var inPool = [Int](repeating: 0, count: Pool.allCases.count)
        for (root, threads) in zip(RootQueue.all, report.threadsPerRoot) {
            inPool[root.pool.index] += threads
            roots[root.index].threads.set(Double(threads))
        }
        for (root, count) in zip(RootQueue.all, report.createdPerRoot) where count != created[root.index] {
            roots[root.index].created.increment(by: count - created[root.index])
            created[root.index] = count
        }
        return inPool
    }
}
