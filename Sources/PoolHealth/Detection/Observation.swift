/// What a tick of the monitor found out.
struct Observation: Sendable {
    /// The monotonic clock, since the monitor's start.
    var now: Duration
    /// How much later than planned this tick came, or the control thread answered: whichever is more.
    var oversleep: Duration = .zero
    /// How long the monitor's or the control thread, whichever waited longer, was ready to run since the last tick, and
    /// others had the processors.
    var queued: Duration = .zero
    /// The share of the machine's processor time in which nothing ran, since the last reading; `nil` if not read.
    var machineIdleShare: Double?
    /// Time that the control group stood still for want of quota, since the last tick.
    var throttled: Duration = .zero
    /// Time that the machine was suspended, since the last tick.
    var suspended: Duration = .zero
    /// Whether a debugger is attached.
    var isTraced = false
    /// For each pool, by its index.
    var pools = [PoolObservation](repeating: PoolObservation(), count: Pool.allCases.count)

    /// Forgets everything, for the next tick.
    mutating func reset(now: Duration, oversleep: Duration) {
        self.now = now
        self.oversleep = oversleep
        queued = .zero
        machineIdleShare = nil
        throttled = .zero
        suspended = .zero
        isTraced = false
        for index in pools.indices { pools[index] = PoolObservation() }
    }
}
