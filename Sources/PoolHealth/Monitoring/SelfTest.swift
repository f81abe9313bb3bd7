import CPoolHealth
import Threads

/// Finds out at the start how much the platform lets the monitor see, on the one thread whose stack is known.
enum SelfTest {
    /// The control thread is asleep in its function nearly always, but not at every moment.
    private static let attempts = 50
    private static let pause = Duration.milliseconds(5)
    /// More than the function has in any build.
    private static let functionLength: UInt = 512

    /// - Parameter thread: the control thread's number.
    static func run(thread: Int32) -> MonitorMode {
        guard MemoryReader.works(), let call = KernelFile("/proc/self/task/\(thread)/syscall"),
            let schedule = KernelFile("/proc/self/task/\(thread)/schedstat")
        else { return .none }
        let reader = StackReader()
        let start = UInt(cpoolhealth_await_event_start())
        let function = start..<(start + functionLength)
        let never = ThreadSemaphore()
        for _ in 0..<attempts {
            let stack = reader.read(thread: thread, systemCall: call, schedule: schedule)
            if let stack, stack.frames.contains(where: function.contains), stack.frames.count > stack.linked {
                return cpoolhealth_has_symbols() != 0 ? .full : .framesOnly
            }
            never.wait(atMost: pause)
        }
        return .none
    }
}
