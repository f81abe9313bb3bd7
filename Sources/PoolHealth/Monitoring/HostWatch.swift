/// Puts what the control group and the machine do to the process into the metrics and into what a tick found out. Used
/// by the monitor's thread only.
struct HostWatch {
    /// Ticks between two readings of what changes slowly.
    private static let slowTicks = 10
    /// A tick that comes so much too late may have waited for a processor.
    private static let noticeableDelay = Duration.milliseconds(1)

    private let metrics: PoolMetrics
    private var gauges: HostGauges
    private var processorsBefore: HostProcessorTime?
    /// Of the monitor's and the control thread's.
    private var queues: [ProcessorQueue] = []
    /// When the throttled time was read.
    private var throttledRead = Duration.zero

    init(metrics: PoolMetrics, gauges: HostGauges = HostGauges()) {
        self.metrics = metrics
        self.gauges = gauges
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

    /// A tick in which nothing has happened: what it waited for a processor is not the next look's.
    mutating func pass(late: Duration) {
        guard late >= Self.noticeableDelay else { return }
        for index in queues.indices { _ = queues[index].waited() }
    }

    /// - Parameters:
    ///   - elapsed: since the tick before, which needn't have looked.
    ///   - isUrgent: whether a cause may have to be found.
    mutating func observe(into observation: inout Observation, tick: Int, elapsed: Duration, isUrgent: Bool) {
        let isSlowTurn = tick % Self.slowTicks == 0
        for index in queues.indices { observation.queued = max(observation.queued, queues[index].waited()) }
        if isSlowTurn || isUrgent || quota != nil {
            observation.throttled = throttled(observation.now, elapsed: elapsed)
        }
        guard isSlowTurn || isUrgent, let processors = gauges.processors() else { return }
        if let before = processorsBefore {
            observation.machineIdleShare = processors.idleShare(since: before)
            let stolenTicks = processors.stealTicks - min(processors.stealTicks, before.stealTicks)
            if stolenTicks > 0 { metrics.stolen.increment(by: gauges.seconds(ofTicks: stolenTicks)) }
        }
        processorsBefore = processors
    }

    /// This tick's part of the time that was throttled since the last reading, as if it was spread evenly.
    private mutating func throttled(_ now: Duration, elapsed: Duration) -> Duration {
        let throttled = gauges.throttled()
        metrics.throttled.increment(by: throttled.inSeconds)
        let covered = now - throttledRead
        throttledRead = now
        return covered > elapsed ? throttled * (elapsed / covered) : throttled
    }
}
