/// Puts what the control group and the machine do to the process into the metrics and into what a tick found out. Used
/// by the monitor's thread only.
struct HostWatch {
    /// Ticks between two readings of what changes slowly.
    private static let slowTicks = 10

    private let metrics: PoolMetrics
    private var gauges = HostGauges()
    private var stolenBefore: Double?

    init(metrics: PoolMetrics) {
        self.metrics = metrics
        stolenBefore = gauges.stolen()
    }

    /// CPU time per wall-clock time, in cores; `nil` without a limit.
    var quota: Double? { gauges.quota }

    /// Whether a debugger is attached.
    func isTraced() -> Bool { gauges.isTraced() }

    /// - Parameter isQuiet: whether nothing ran that a quota could have held back.
    mutating func observe(into observation: inout Observation, tick: Int, isQuiet: Bool) {
        observation.suspended = gauges.suspendedTime()
        if observation.suspended > .zero { metrics.suspended.increment(by: observation.suspended.inSeconds) }
        let isSlowTurn = tick % Self.slowTicks == 0
        if isSlowTurn || (quota != nil && !isQuiet) {
            observation.throttled = gauges.throttled()
            metrics.throttled.increment(by: observation.throttled.inSeconds)
        }
        if isSlowTurn, let stolen = gauges.stolen() {
            metrics.stolen.increment(by: max(0, stolen - (stolenBefore ?? stolen)))
            stolenBefore = stolen
        }
    }
}
