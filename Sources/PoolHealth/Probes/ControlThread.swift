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

    /// How long the answer took that came since the last call, or how long there has been none; zero if there was no
    /// question.
    func takeDelay() -> Duration {
        let last = asked.load(ordering: .relaxed)
        guard last != 0 else { return .zero }
        let answer = answered.load(ordering: .acquiring)
        guard answer >= last else { return .nanoseconds(Clock.monotonic().inNanoseconds - last) }
        asked.store(0, ordering: .relaxed)
        return .nanoseconds(answer - last)
    }

    /// Asks, unless an answer is still to come or to be taken.
    func ask() {
        guard asked.load(ordering: .relaxed) == 0 else { return }
        asked.store(Clock.monotonic().inNanoseconds, ordering: .releasing)
        write()
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
