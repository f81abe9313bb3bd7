/// Puts what the control group and the machine do to the process into the metrics and into what a tick found out. Used
/// by the monitor's thread only.
struct HostWatch {
    /// Ticks between two readings of what changes slowly.
    private static let slowTicks = 10

    private let metrics: PoolMetrics
    private var gauges = HostGauges()
    private var processorsBefore: HostProcessorTime?
    /// Of the monitor's and the control thread's.
    private var queues: [ProcessorQueue] = []

    init(metrics: PoolMetrics) {
        self.metrics = metrics
        processorsBefore = gauges.processors()
    }

    /// Looks from now on how long these threads wait for a processor.
    mutating func watch(threads: [Int32]) {
        queues = threads.compactMap(ProcessorQueue.init)
    }

    /// CPU time per wall-clock time, in cores; `nil` without a limit.
    var quota: Double? { gauges.quota }

    /// Whether a debugger is attached.
    func isTraced() -> Bool { gauges.isTraced() }

    /// How long the machine was suspended since the last call.
    mutating func suspendedTime() -> Duration {
        let suspended = gauges.suspendedTime()
        if suspended > .zero { metrics.suspended.increment(by: suspended.inSeconds) }
        return suspended
    }

    /// - Parameter isUrgent: Whether a cause may have to be found.
    mutating func observe(into observation: inout Observation, tick: Int, isUrgent: Bool) {
        let isSlowTurn = tick % Self.slowTicks == 0
        for index in queues.indices { observation.queued = max(observation.queued, queues[index].waited()) }
        if isSlowTurn || quota != nil {
            observation.throttled = gauges.throttled()
            metrics.throttled.increment(by: observation.throttled.inSeconds)
        }
        guard isSlowTurn || isUrgent, let processors = gauges.processors() else { return }
        if let before = processorsBefore {
            observation.machineIdleShare = processors.idleShare(since: before)
            let stolenTicks = processors.stealTicks - min(processors.stealTicks, before.stealTicks)
            if stolenTicks > 0 { metrics.stolen.increment(by: gauges.seconds(ofTicks: stolenTicks)) }
        }
        processorsBefore = processors
    }
}
