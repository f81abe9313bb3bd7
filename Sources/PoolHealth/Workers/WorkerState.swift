/// What a thread of a pool is doing.
enum WorkerState: Equatable, Sendable {
    /// On a processor.
    case running
    /// Waiting for a processor.
    case runnable
    /// Asleep in the middle of a job.
    case blocked(WaitKind)
    /// Asleep because there is no job.
    case parked

    /// Whether it is neither on a processor nor waiting for one.
    var isAsleep: Bool {
        switch self {
        case .running, .runnable: false
        case .blocked, .parked: true
        }
    }

    /// - Parameters:
    ///   - systemCall: as just read.
    ///   - wait: what the number of that system call stands for.
    ///   - isInDiskSleep: whether the state's letter is D: asleep, and not to be woken by a signal.
    ///   - progress: what the scheduler did with the thread since the last look.
    ///   - isParkingPlace: whether threads without a job sleep on a futex at this address.
    static func classify(
        _ systemCall: SystemCall, wait: WaitKind, isInDiskSleep: Bool, progress: ScheduleStatistics,
        isParkingPlace: (UInt) -> Bool
    ) -> WorkerState {
        switch systemCall {
        case .running:
            progress.waitNanoseconds > progress.cpuNanoseconds ? .runnable : .running
        case .inside(_, let address, _, _) where wait == .futex && isParkingPlace(address):
            .parked
        case .inside:
            .blocked(isInDiskSleep ? .disk : wait)
        case .outside:
            .blocked(isInDiskSleep ? .disk : .other)
        }
    }
}
