/// One look at one thread of a pool.
struct ThreadSample: Equatable, Sendable {
    let thread: Int32
    let root: RootQueue
    let state: WorkerState
    /// What the scheduler did with it since the last look.
    var progress: ScheduleStatistics

    /// Whether it sat in its job since the last look without moving at all.
    var isFrozen: Bool {
        guard case .blocked = state else { return false }
        return progress.timeslices == 0 && progress.cpuNanoseconds == 0
    }
}
