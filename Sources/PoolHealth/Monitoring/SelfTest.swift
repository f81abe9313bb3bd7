/// Finds out at the start how much the platform lets the monitor see, on the one thread whose stack is known.
enum SelfTest {
    /// The control thread is asleep nearly always, but not at every moment.
    private static let attempts = 100

    /// - Parameter thread: the control thread's number.
    static func run(thread: Int32) -> MonitorMode {
        guard MemoryReader.works(), let call = KernelFile("/proc/self/task/\(thread)/syscall"),
            let schedule = KernelFile("/proc/self/task/\(thread)/schedstat")
        else { return .none }
        let reader = StackReader()
        for _ in 0..<attempts {
            guard let stack = reader.read(thread: thread, systemCall: call, schedule: schedule), stack.frames.count > 2
            else { continue }
            let names = Symbolizer().frames(stack.frames).map(\.function)
            return names.contains { $0.contains("awaitQuestion") } ? .full : .framesOnly
        }
        return .none
    }
}
