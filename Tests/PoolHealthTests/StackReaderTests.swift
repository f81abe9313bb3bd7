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

    /// It has to sleep only while its stack is copied, not while the calls in it are looked for.
    @Test func aThreadThatStirsAllTheTimeIsRead() throws {
        let asking = Asking()
        try OwnThread.start(name: "asking") { asking.run() }
        defer { asking.isOver.store(true, ordering: .releasing) }
        asking.isRunning.wait()
        let thread = asking.thread.load(ordering: .acquiring)
        let call = try #require(KernelFile("/proc/self/task/\(thread)/syscall"))
        let schedule = try #require(KernelFile("/proc/self/task/\(thread)/schedstat"))
        let reader = StackReader()
        let looks = 200
        var found = 0
        for _ in 0..<looks {
            if reader.read(thread: thread, systemCall: call, schedule: schedule) != nil { found += 1 }
            // Lets it have the processor, if they share one.
            usleep(300)
        }
        #expect(found > looks / 2)
    }
}
