import CLinux
import Glibc
import Synchronization
import Testing
import Threads

@testable import PoolHealth

@Suite struct StackReaderTests {
    /// A thread that asks again and again whether something is done, and what its reader found.
    private final class Asking: Sendable {
        let thread = Atomic<Int32>(0)
        let isOver = Atomic(false)
        let isRunning = ThreadSemaphore()

        func run() {
            thread.store(clinux_thread_id(), ordering: .releasing)
            isRunning.signal()
            while !isOver.load(ordering: .acquiring) { usleep(200) }
        }
    }

    /// It has to sleep only while its stack is copied, not while the calls in it are looked for: some that are read
    /// have stirred by then.
    @Test func aThreadThatStirsAllTheTimeIsRead() throws {
        let asking = Asking()
        try OwnThread.start(name: "asking") { asking.run() }
        defer { asking.isOver.store(true, ordering: .releasing) }
        asking.isRunning.wait()
        let thread = asking.thread.load(ordering: .acquiring)
        let call = try #require(KernelFile("/proc/self/task/\(thread)/syscall"))
        let schedule = try #require(KernelFile("/proc/self/task/\(thread)/schedstat"))
        let reader = StackReader()
        let began = ContinuousClock.now
        var found = 0
        // The end is a hang guard: on a busy machine the thread is mostly about to run.
        while found < 20, .now - began < .seconds(60) {
            let stack = reader.read(thread: thread, systemCall: call, schedule: schedule)
            if let stack, schedule.read(ScheduleStatistics.parse)?.timeslices != stack.timeslices { found += 1 }
            // Lets it have the processor, if they share one.
            usleep(300)
        }
        #expect(found == 20)
    }
}
