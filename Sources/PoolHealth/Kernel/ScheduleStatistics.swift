/// What `/proc/<pid>/task/<tid>/schedstat` says (the kernel's Documentation/scheduler/sched-stats.rst). All of it only
/// grows.
struct ScheduleStatistics: Equatable {
    /// Time spent on a processor.
    var cpuNanoseconds: UInt64
    /// Time spent waiting for one.
    var waitNanoseconds: UInt64
    /// How often the thread was put on one: unchanged, it has not moved in between.
    var timeslices: UInt64

    /// Of a thread that hasn't moved.
    static let none = ScheduleStatistics(cpuNanoseconds: 0, waitNanoseconds: 0, timeslices: 0)

    static func parse(_ bytes: Span<UInt8>) -> ScheduleStatistics? {
        var cursor = NumberCursor()
        guard let cpu = cursor.next(in: bytes), let wait = cursor.next(in: bytes),
            let timeslices = cursor.next(in: bytes)
        else { return nil }
        return ScheduleStatistics(cpuNanoseconds: cpu, waitNanoseconds: wait, timeslices: timeslices)
    }

    /// What happened since an earlier reading.
    func since(_ earlier: ScheduleStatistics) -> ScheduleStatistics {
        ScheduleStatistics(
            cpuNanoseconds: cpuNanoseconds &- earlier.cpuNanoseconds,
            waitNanoseconds: waitNanoseconds &- earlier.waitNanoseconds,
            timeslices: timeslices &- earlier.timeslices)
    }
}
