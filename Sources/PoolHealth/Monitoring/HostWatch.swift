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

    /// How long the machine was suspended since the last call.
    mutating func suspendedTime() -> Duration {
        let suspended = gauges.suspendedTime()
        if suspended > .zero { metrics.suspended.increment(by: suspended.inSeconds) }
        return suspended
    }

    mutating func observe(into observation: inout Observation, tick: Int) {
        let isSlowTurn = tick % Self.slowTicks == 0
        if isSlowTurn || quota != nil {
            observation.throttled = gauges.throttled()
            metrics.throttled.increment(by: observation.throttled.inSeconds)
        }
        if isSlowTurn, let stolen = gauges.stolen() {
            metrics.stolen.increment(by: max(0, stolen - (stolenBefore ?? stolen)))
            stolenBefore = stolen
        }
    }
}
