import Glibc
import Testing

@testable import Scheduling

@Suite struct WithDeadlineTests {
    private struct Broken: Error {}

    private static let never = Duration.seconds(3_600)
    private static let soon = Duration.milliseconds(5)

    @Test func givesTheBodysValueAndRemovesItsTimer() async throws {
        let timers = try TimerQueue()
        let value = try await timers.withDeadline(Self.never) {
            #expect(timers.scheduled == 1)
            return 42
        }
        #expect(value == 42)
        #expect(timers.scheduled == 0)
    }

    @Test func passesTheBodysErrorThrough() async throws {
        let timers = try TimerQueue()
        await #expect(throws: Broken.self) {
            try await timers.withDeadline(Self.never) { throw Broken() }
        }
        #expect(timers.scheduled == 0)
    }

    @Test func cancelsTheBodyAndAwaitsItWhenTheDeadlinePasses() async throws {
        let timers = try TimerQueue()
        let order = EventLog<String>()
        // Far enough away for the body to start even where this thread is held up in between.
        let deadline = ContinuousClock.now + .milliseconds(100)
        await #expect(throws: DeadlineExceeded(deadline: deadline)) {
            try await timers.withDeadline(until: deadline) {
                while !Task.isCancelled { await Task.yield() }
                for _ in 0..<100 { await Task.yield() }
                order.append("body ended")
                try Task.checkCancellation()
            }
        }
        order.append("deadline reported")
        #expect(order.events == ["body ended", "deadline reported"])
        #expect(ContinuousClock.now >= deadline)
    }

    @Test(arguments: ["value", "error"])
    func reportsTheDeadlineWhateverTheBodyMakesOfIt(end: String) async throws {
        let timers = try TimerQueue()
        await #expect(throws: DeadlineExceeded.self) {
            try await timers.withDeadline(Self.soon) {
                while !Task.isCancelled { await Task.yield() }
                if end == "error" { throw Broken() }
            }
        }
    }

    @Test func leavesTheCallingTaskUncancelled() async throws {
        let timers = try TimerQueue()
        let task = Task {
            await #expect(throws: DeadlineExceeded.self) {
                try await timers.withDeadline(Self.soon) { while !Task.isCancelled { await Task.yield() } }
            }
            return Task.isCancelled
        }
        #expect(await task.value == false)
    }

    @Test func neverStartsABodyWhoseDeadlineHasPassed() async throws {
        let timers = try TimerQueue()
        let started = EventLog<Int>()
        let past = ContinuousClock.now - .seconds(1)
        await #expect(throws: DeadlineExceeded(deadline: past)) {
            try await timers.withDeadline(until: past) { started.append(1) }
        }
        await #expect(throws: DeadlineExceeded.self) {
            try await timers.withDeadline(.zero) { started.append(2) }
        }
        #expect(started.count == 0)
    }

    @Test func cancellingTheCallerIsNoDeadline() async throws {
        let timers = try TimerQueue()
        let started = ResumeOnce<Void>()
        let task = Task {
            try await timers.withDeadline(Self.never) {
                started.resume()
                while true {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
        }
        try await started.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(timers.scheduled == 0)
    }

    @Test func theCauseThatCameFirstIsReported() async throws {
        let timers = try TimerQueue()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await timers.withDeadline(.milliseconds(200)) {
                // Winds up for longer than the deadline allows.
                while timers.scheduled > 0 { await Task.yield() }
                try Task.checkCancellation()
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func theInnerOfTwoDeadlinesCanBeTold() async throws {
        let timers = try TimerQueue()
        let inner = ContinuousClock.now + Self.soon
        await #expect(throws: DeadlineExceeded(deadline: inner)) {
            try await timers.withDeadline(Self.never) {
                try await timers.withDeadline(until: inner) {
                    while !Task.isCancelled { await Task.yield() }
                }
            }
        }
        #expect(timers.scheduled == 0)
    }

    @Test func reachesEveryChildOfTheBody() async throws {
        let timers = try TimerQueue()
        let semaphore = CancellableSemaphore(permits: 1)
        try await semaphore.acquire()
        await #expect(throws: DeadlineExceeded.self) {
            try await timers.withDeadline(Self.soon) {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<10 {
                        group.addTask { try await semaphore.acquire() }
                    }
                    try await group.waitForAll()
                }
            }
        }
        #expect(semaphore.waiting == 0)
    }

    /// More bodies than the pool has threads each block one until their cancellation handler runs. Were the handlers
    /// to run on the pool, none ever would.
    @Test func holdsWhileEveryThreadOfThePoolIsBlocked() async throws {
        let timers = try TimerQueue()
        let bodies = 2 * UsableCores.count() + 2
        let giveUp = ContinuousClock.now + .seconds(120)
        await withTaskGroup { group in
            for _ in 0..<bodies {
                group.addTask {
                    await #expect(throws: DeadlineExceeded.self) {
                        try await timers.withDeadline(.milliseconds(20)) {
                            let flag = CancellationFlag()
                            await withTaskCancellationHandler {
                                while !flag.isCancelled, ContinuousClock.now < giveUp { sched_yield() }
                            } onCancel: {
                                flag.cancel()
                            }
                            #expect(flag.isCancelled)
                        }
                    }
                }
            }
        }
    }

    /// The deadline and the body's end race here; each pair ends once, with one of the two.
    @Test func endsOnceWhereTheDeadlineAndTheBodyRace() async throws {
        let timers = try TimerQueue()
        let ended = Count()
        await withTaskGroup { group in
            for number in 0..<2_000 {
                group.addTask {
                    do {
                        let value = try await timers.withDeadline(.microseconds(number % 200)) {
                            for _ in 0..<(number % 7) { await Task.yield() }
                            return number
                        }
                        #expect(value == number)
                    } catch {
                        #expect(error is DeadlineExceeded)
                    }
                    ended.add(1)
                }
            }
        }
        #expect(ended.value == 2_000)
        #expect(timers.scheduled == 0)
    }
}
