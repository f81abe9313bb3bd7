/// How long a thread of this process waits for a processor although it could run.
struct ProcessorQueue {
    private let file: KernelFile
    private var before: ScheduleStatistics

    /// - Parameter thread: the kernel's number of it.
    /// - Returns: `nil` if the kernel doesn't tell.
    init?(thread: Int32) {
        guard let file = KernelFile("/proc/self/task/\(thread)/schedstat"),
            let statistics = file.read(ScheduleStatistics.parse)
        else { return nil }
        self.file = file
        before = statistics
    }

    /// Since the last call.
    mutating func waited() -> Duration {
        guard let now = file.read(ScheduleStatistics.parse) else { return .zero }
        defer { before = now }
        return .nanoseconds(Int64(clamping: now.since(before).waitNanoseconds))
    }
}
