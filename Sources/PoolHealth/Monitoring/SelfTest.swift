import Threads

/// Finds out at the start how much the platform lets the monitor see, on the one thread whose stack is known.
enum SelfTest {
    /// The control thread is asleep in its function nearly always, but not at every moment.
    private static let attempts = 50
    private static let pause = Duration.milliseconds(5)

    /// - Parameter thread: the control thread's number.
    static func run(thread: Int32) -> MonitorMode {
        guard MemoryReader.works(), let call = KernelFile("/proc/self/task/\(thread)/syscall"),
            let schedule = KernelFile("/proc/self/task/\(thread)/schedstat")
        else { return .none }
        let reader = StackReader()
        let symbolizer = Symbolizer()
        let never = ThreadSemaphore()
        var best = MonitorMode.none
        for _ in 0..<attempts {
            if let stack = reader.read(thread: thread, systemCall: call, schedule: schedule), stack.frames.count > 2 {
                let names = symbolizer.frames(of: [stack.frames])[0].map(\.function)
                if names.contains(where: { $0.contains(ControlThread.waitingFunction) }) { return .full }
                best = .framesOnly
            }
            never.wait(atMost: pause)
        }
        return best
    }
}
