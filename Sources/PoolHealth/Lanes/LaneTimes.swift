import Telemetry

/// What the threads of one lane spent their time with, until it is put into the metric.
struct LaneTimes: Sendable {
    private var cpu = Duration.zero
    private var runqueue = Duration.zero
    private var blocked = Duration.zero
    private var parked = Duration.zero

    /// - Parameters:
    ///   - progress: since the thread was looked at before.
    ///   - elapsed: as long ago was that.
    mutating func add(_ state: WorkerState, _ progress: ScheduleStatistics, elapsed: Duration) {
        let computing = Duration.nanoseconds(Int64(clamping: progress.cpuNanoseconds))
        let waiting = Duration.nanoseconds(Int64(clamping: progress.waitNanoseconds))
        cpu += computing
        runqueue += waiting
        let rest = max(.zero, elapsed - computing - waiting)
        switch state {
        case .blocked: blocked += rest
        case .parked: parked += rest
        case .running, .runnable: break
        }
    }

    mutating func flush(into metric: CounterFamily, of lane: String) {
        for (state, spent) in [("cpu", cpu), ("runqueue", runqueue), ("blocked", blocked), ("parked", parked)]
        where spent > .zero {
            metric[lane, state].increment(by: spent.inSeconds)
        }
        self = LaneTimes()
    }
}
