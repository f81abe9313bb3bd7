import Telemetry

/// The gauges of one pool, or of one of the program's own lanes, looked up once.
struct PoolGauges {
    private let running: Gauge
    private let runnable: Gauge
    private let blocked: Gauge
    private let parked: Gauge
    private let saturation: Gauge
    private let threads: Gauge
    private let waits: [(kind: WaitKind, gauge: Gauge)]

    init(_ pool: Pool, metrics: PoolMetrics) {
        self.init(pool.rawValue, threads: metrics.rootThreads[pool.rawValue], metrics)
    }

    /// A lane is as wide as it has threads.
    init(lane: String, metrics: PoolMetrics) {
        self.init(lane, threads: metrics.width[lane], metrics)
    }

    private init(_ name: String, threads: Gauge, _ metrics: PoolMetrics) {
        self.threads = threads
        running = metrics.workers[name, "running"]
        runnable = metrics.workers[name, "runnable"]
        blocked = metrics.workers[name, "blocked"]
        parked = metrics.workers[name, "parked"]
        saturation = metrics.saturation[name]
        waits = WaitKind.allCases.map { ($0, metrics.blockedWorkers[name, $0.rawValue]) }
    }

    func publish(_ line: PoolReport.Line, width: Int, threads count: Int) {
        publish(line.census, line.waits, width: width, threads: count)
    }

    func publish(_ line: LaneLine) {
        publish(line.census, line.waits, width: max(1, line.threads), threads: line.threads)
    }

    private func publish(_ census: PoolCensus, _ waiting: [WaitKind: Int], width: Int, threads count: Int) {
        running.set(Double(census.running))
        runnable.set(Double(census.runnable))
        blocked.set(Double(census.blocked))
        parked.set(Double(census.parked))
        saturation.set(Double(census.busy) / Double(width))
        threads.set(Double(count))
        for (kind, gauge) in waits { gauge.set(Double(waiting[kind] ?? 0)) }
    }
}
