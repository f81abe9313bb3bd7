import Telemetry

/// The gauges of one pool, looked up once.
struct PoolGauges {
    private let running: Gauge
    private let runnable: Gauge
    private let blocked: Gauge
    private let parked: Gauge
    private let saturation: Gauge
    private let threads: Gauge
    private let waits: [(kind: WaitKind, gauge: Gauge)]

    init(_ pool: Pool, metrics: PoolMetrics) {
        let name = pool.rawValue
        running = metrics.workers[name, "running"]
        runnable = metrics.workers[name, "runnable"]
        blocked = metrics.workers[name, "blocked"]
        parked = metrics.workers[name, "parked"]
        saturation = metrics.saturation[name]
        threads = metrics.rootThreads[name]
        waits = WaitKind.allCases.map { ($0, metrics.blockedWorkers[name, $0.rawValue]) }
    }

    func publish(_ line: PoolReport.Line, width: Int, threads count: Int) {
        running.set(Double(line.census.running))
        runnable.set(Double(line.census.runnable))
        blocked.set(Double(line.census.blocked))
        parked.set(Double(line.census.parked))
        saturation.set(Double(line.census.busy) / Double(width))
        threads.set(Double(count))
        for (kind, gauge) in waits { gauge.set(Double(line.waits[kind] ?? 0)) }
    }
}
