import Telemetry

/// Every metric of pool health, registered at once, so that each series is there at zero from the start.
struct PoolMetrics: Sendable {
    private static let poolNames = Pool.allCases.map(\.rawValue)
    private static let stalledNames = poolNames + [Stall.wholeProcess]
    private static let probeBuckets: HistogramBuckets = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    private static let stallBuckets: HistogramBuckets = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300]
    private static let tickBuckets: HistogramBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.1]

    let probeLatency: HistogramFamily
    let probeAge: GaugeFamily
    let probes: CounterFamily
    let controlDelay: Histogram
    let width: GaugeFamily
    let rootThreads: GaugeFamily
    let quota: GaugeFamily
    let workers: GaugeFamily
    let blockedWorkers: GaugeFamily
    let workerSeconds: CounterFamily
    let saturation: GaugeFamily
    let atRisk: GaugeFamily
    let stallActive: GaugeFamily
    let stallStart: GaugeFamily
    let stalls: CounterFamily
    let stallSeconds: CounterFamily
    let stallDuration: HistogramFamily
    let gcdThreads: GaugeFamily
    let gcdThreadLimit: GaugeFamily
    let gcdThreadsCreated: CounterFamily
    let throttled: Counter
    let stolen: Counter
    let suspended: Counter
    let tick: Histogram
    let missedTicks: Counter
    let mode: GaugeFamily

    /// - Parameter lanes: the names of the program's own lanes.
    init(registry: MetricsRegistry, ledger: CulpritLedger, lanes: [String] = []) {
        precondition(
            Set(Self.stalledNames + lanes).count == Self.stalledNames.count + lanes.count,
            "lanes have names of their own")
        let threads = Label("pool", values: Self.poolNames + lanes, fallback: nil)
        let pool = Label("pool", values: Self.poolNames, fallback: nil)
        let stalled = Label("pool", values: Self.stalledNames, fallback: nil)
        let cause = Label("cause", values: StallCause.allCases.map(\.rawValue), fallback: nil)
        let lane = Label("lane", values: ProbeLane.allCases.map(\.rawValue), fallback: nil)
        let priority = Label("priority", values: Pool.ofTasks.map(\.rawValue), fallback: nil)
        let root = Label("root", values: RootQueue.all.map(\.name), fallback: nil)

        probeLatency = registry.histogramFamily(
            "swift_pool_probe_latency_seconds", help: "How long a pool took to run an empty job.",
            labels: lane, priority, buckets: Self.probeBuckets)
        probeAge = registry.gaugeFamily(
            "swift_pool_probe_age_seconds", help: "How long the oldest empty job has been waiting to run.",
            labels: lane, priority)
        probes = registry.counterFamily(
            "swift_pool_probes_total", help: "Empty jobs that were run, in time or late (250 ms).", labels: lane,
            priority, Label("result", values: ["ok", "late"], fallback: nil))
        controlDelay = registry.histogram(
            "swift_pool_control_delay_seconds", help: "How much too late the monitor's own threads woke up.",
            buckets: Self.probeBuckets)
        width = registry.gaugeFamily(
            "swift_pool_width", help: "Tasks of this priority, or jobs of this lane, that can run at a time.",
            labels: threads)
        rootThreads = registry.gaugeFamily(
            "swift_pool_root_threads", help: "Threads that Dispatch has for the pool.", labels: pool)
        quota = registry.gaugeFamily(
            "swift_pool_cpu_quota_cores", help: "The control group's CPU quota; +Inf without one.", labels: pool)
        workers = registry.gaugeFamily(
            "swift_pool_workers", help: "The pool's threads by what they are doing.", labels: threads,
            Label("state", values: ["running", "runnable", "blocked", "parked"], fallback: nil))
        blockedWorkers = registry.gaugeFamily(
            "swift_pool_blocked_workers", help: "The pool's blocked threads by what they wait for.", labels: threads,
            Label("wait", values: WaitKind.allCases.map(\.rawValue), fallback: nil))
        workerSeconds = registry.counterFamily(
            "swift_pool_worker_seconds_total", help: "What the pool's threads spent their time with.", labels: threads,
            Label("state", values: ["cpu", "runqueue", "blocked", "parked"], fallback: nil))
        saturation = registry.gaugeFamily(
            "swift_pool_saturation_ratio", help: "The pool's threads with a job, divided by its width.",
            labels: threads)
        atRisk = registry.gaugeFamily(
            "swift_pool_at_risk", help: "1 while nearly all threads of the pool are blocked.", labels: pool)
        stallActive = registry.gaugeFamily(
            "swift_pool_stall_active", help: "1 while the pool stands still.", labels: stalled, cause)
        stallStart = registry.gaugeFamily(
            "swift_pool_stall_start_time_seconds", help: "When the last stall began, in seconds since 1970.",
            labels: stalled, cause)
        stalls = registry.counterFamily(
            "swift_pool_stalls_total", help: "Stalls that began.", labels: stalled, cause)
        stallSeconds = registry.counterFamily(
            "swift_pool_stall_seconds_total", help: "Time that the pool has stood still; grows during a stall.",
            labels: stalled, cause)
        stallDuration = registry.histogramFamily(
            "swift_pool_stall_duration_seconds", help: "How long stalls lasted.", labels: stalled, cause,
            buckets: Self.stallBuckets)
        gcdThreads = registry.gaugeFamily(
            "swift_gcd_threads", help: "Threads of each of Dispatch's root queues.", labels: root)
        gcdThreadLimit = registry.gaugeFamily(
            "swift_gcd_thread_limit", help: "The most threads that Dispatch gives a root queue.", labels: root)
        gcdThreadsCreated = registry.counterFamily(
            "swift_gcd_threads_created_total", help: "Threads that root queues have got.", labels: root)
        throttled = registry.counter(
            "container_cpu_throttled_seconds_total", help: "Time that the CPU quota held the control group back.")
        stolen = registry.counter(
            "host_steal_seconds_total", help: "CPU time that the hypervisor gave to others, of all processors.")
        suspended = registry.counter(
            "clock_suspended_seconds_total", help: "Time that the machine was suspended.")
        tick = registry.histogram(
            "swift_pool_monitor_tick_seconds", help: "What one look of the monitor takes.", buckets: Self.tickBuckets)
        missedTicks = registry.counter(
            "swift_pool_monitor_missed_ticks_total", help: "Looks that the monitor came too late for.")
        mode = registry.gaugeFamily(
            "swift_pool_monitor_mode", help: "1 for how much the platform lets the monitor see.",
            labels: Label("mode", values: MonitorMode.allCases.map(\.rawValue), fallback: nil))
        registry.collectedCounters(
            "swift_pool_culprit_seconds_total", help: "Time that threads of a stalled pool were blocked at a place.",
            labels: ["pool", "site", "wait", "stage"]
        ) {
            ledger.series.map { ([$0.key.pool, $0.key.site, $0.key.wait, $0.key.stage], $0.seconds) }
        }
        for root in RootQueue.all { gcdThreadLimit[root.name].set(Double(RootQueue.threadLimit)) }
    }
}
