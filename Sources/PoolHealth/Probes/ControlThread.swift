import CLinux
import CPoolHealth
import Glibc
import Synchronization
import Threads

/// A plain thread that does nothing but answer: what it takes to do so, any thread takes at the moment. It tells a pool
/// that stands still from a process that does.
final class ControlThread: Sendable {
    private let descriptor: Int32
    private let asked = Atomic<Int64>(0)
    private let answered = Atomic<Int64>(0)
    private let isStopping = Atomic<Bool>(false)

    /// The kernel's number of the thread; 0 before it runs.
    let thread = Atomic<Int32>(0)

    /// - Throws: ``PoolHealthError`` if the system gives no thread or no descriptor.
    init() throws(PoolHealthError) {
        descriptor = cpoolhealth_event_descriptor()
        guard descriptor >= 0 else { throw .noDescriptor(code: errno) }
        do {
            try OwnThread.start(name: "pool-control") { self.work() }
        } catch {
            throw .noThread(error)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// How long the last answer took, or how long there has been none; then asks again.
    func ask() -> Duration {
        let now = Clock.monotonic().inNanoseconds
        let last = asked.load(ordering: .relaxed)
        let answer = answered.load(ordering: .acquiring)
        if last != 0, answer < last { return .nanoseconds(now - last) }
        asked.store(now, ordering: .releasing)
        write()
        return .nanoseconds(last == 0 ? 0 : answer - last)
    }

    /// Ends the thread.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        write()
    }

    private func write() {
        var one: UInt64 = 1
        // Fails only if the counter is full, and then the thread has enough to wake up for.
        _ = Glibc.write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    private func work() {
        thread.store(clinux_thread_id(), ordering: .releasing)
        while !isStopping.load(ordering: .acquiring) {
            guard cpoolhealth_await_event(descriptor) == 0 else { return }
            answered.store(Clock.monotonic().inNanoseconds, ordering: .releasing)
        }
    }
}
