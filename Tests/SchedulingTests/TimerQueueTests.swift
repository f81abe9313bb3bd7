import CLinux
import TestSupport
import Testing
import Threads

@testable import Scheduling

@Suite struct TimerQueueTests {
    @Test func runsActionsByTheirInstantsAndNotBeforeThem() async throws {
        let timers = try TimerQueue()
        let allAreScheduled = ThreadSemaphore()
        timers.schedule(at: .now) { allAreScheduled.wait() }
        let fired = EventLog<(name: String, at: ContinuousClock.Instant)>()
        let start = ContinuousClock.now
        let instants = ["c": start + .milliseconds(30), "a": start + .milliseconds(10), "b": start + .milliseconds(20)]
        for (name, instant) in instants {
            timers.schedule(at: instant) { fired.append((name, .now)) }
        }
        allAreScheduled.signal()
        try await eventually("all fire") { fired.count == 3 }
        #expect(fired.events.map(\.name) == ["a", "b", "c"])
        for event in fired.events {
            #expect(event.at >= instants[event.name] ?? event.at + .seconds(1))
        }
        #expect(timers.scheduled == 0)
    }

    @Test func runsAtOnceWhatIsDueAlready() async throws {
        let timers = try TimerQueue()
        let fired = ResumeOnce<Void>()
        timers.schedule(at: .now - .seconds(1)) { fired.resume() }
        try await fired.value()
    }

    @Test func anEarlierActionIsNotHeldUpByALaterOne() async throws {
        let timers = try TimerQueue()
        let fired = ResumeOnce<Void>()
        timers.schedule(at: .now + .seconds(3_600)) {}
        timers.schedule(at: .now + .milliseconds(5)) { fired.resume() }
        try await fired.value()
        #expect(timers.scheduled == 1)
    }

    @Test func neverRunsWhatWasCancelled() async throws {
        let timers = try TimerQueue()
        let fired = EventLog<String>()
        let allAreScheduled = ThreadSemaphore()
        timers.schedule(at: .now) { allAreScheduled.wait() }
        let due = ContinuousClock.now + .milliseconds(10)
        let cancelled = timers.schedule(at: due) { fired.append("cancelled") }
        #expect(timers.cancel(cancelled))
        #expect(!timers.cancel(cancelled))
        timers.schedule(at: due) { fired.append("kept") }
        allAreScheduled.signal()
        try await eventually("the other fires") { fired.count == 1 }
        #expect(fired.events == ["kept"])
    }

    @Test func saysSoWhereItIsTooLateToCancel() async throws {
        let timers = try TimerQueue()
        let fired = ResumeOnce<Void>()
        let timer = timers.schedule(at: .now) { fired.resume() }
        try await fired.value()
        #expect(!timers.cancel(timer))
    }

    @Test func freesACancelledActionAtOnce() throws {
        final class Payload: Sendable {}
        let timers = try TimerQueue()
        var payload: Payload? = Payload()
        weak let watched = payload
        let timer = timers.schedule(at: .now + .seconds(3_600)) { [payload] in _ = payload }
        payload = nil
        #expect(watched != nil)
        timers.cancel(timer)
        #expect(watched == nil)
        #expect(timers.scheduled == 0)
    }

    @Test func endsItsThreadWhenNobodyHoldsItAnyMore() async throws {
        var timers: TimerQueue? = try TimerQueue()
        weak let core = timers?.core
        timers?.schedule(at: .now + .seconds(3_600)) {}
        #expect(core != nil)
        timers = nil
        try await eventually("the thread ends") { core == nil }
    }

    /// Voluntary context switches are the kernel's own count of how often the thread went to sleep, and so woke.
    @Test func sleepsThroughDeadlinesThatAreMet() async throws {
        let timers = try TimerQueue(name: "sleepy-timers")
        let status = ResumeOnce<String>()
        timers.schedule(at: .now) {
            status.resume(returning: "/proc/self/task/\(clinux_thread_id())/status")
        }
        let path = try await status.value()
        for _ in 0..<2_000 {
            try await timers.withDeadline(.seconds(3_600)) {}
        }
        let switches = try #require(
            SystemFile.read(path)?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }?
                .split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) })
        #expect(switches < 100)
    }
}
