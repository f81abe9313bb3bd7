import TestSupport
import Testing

@testable import Scheduling

@Suite struct LaneTests {
    private struct Broken: Error {}
    private struct Stopped: Error {}

    @Test func givesWhatTheWorkReturnsOrThrows() async throws {
        let lane = try Lane(name: "results", threads: 1)
        #expect(try await lane.run { _ in 42 } == 42)
        await #expect(throws: Broken.self) { try await lane.run { _ in throw Broken() } }
        #expect(lane.running == 0)
        #expect(lane.queued == 0)
    }

    @Test func runsOnItsOwnNamedThreads() async throws {
        let lane = try Lane(name: "decode", threads: 2)
        let gates = [Gate(), Gate()]
        let names = EventLog<String>()
        try await withThrowingTaskGroup { group in
            for gate in gates {
                group.addTask {
                    try await lane.run { _ in
                        names.append(SystemFile.read("/proc/thread-self/comm") ?? "")
                        gate.pass()
                    }
                }
            }
            try await eventually("both run") { names.count == 2 }
            for gate in gates {
                gate.open()
            }
            try await group.waitForAll()
        }
        #expect(names.events.sorted() == ["decode-0\n", "decode-1\n"])
    }

    @Test func runsNoMoreJobsThanItHasThreadsAndStartsThemInOrder() async throws {
        let lane = try Lane(name: "order", threads: 2)
        let gates = (0..<6).map { _ in Gate() }
        let started = EventLog<Int>()
        try await withThrowingTaskGroup { group in
            for number in 0..<6 {
                group.addTask {
                    try await lane.run { _ in
                        started.append(number)
                        gates[number].pass()
                    }
                }
                try await eventually("\(number) came") { started.count + lane.queued == number + 1 }
            }
            try await eventually("two run, four wait") { lane.running == 2 && lane.queued == 4 }
            for number in 0..<6 {
                gates[number].open()
                try await eventually("the next one starts") { started.count == min(6, number + 3) }
            }
            try await group.waitForAll()
        }
        // The first two start on two threads at once, in either order.
        #expect(started.events.prefix(2).sorted() == [0, 1])
        #expect(started.events.dropFirst(2) == [2, 3, 4, 5])
        #expect(lane.running == 0)
    }

    @Test func aJobCancelledInTheLineNeverStarts() async throws {
        let lane = try Lane(name: "queued", threads: 1)
        let gate = Gate()
        let ran = EventLog<String>()
        let first = Task { try await lane.run { _ in gate.pass() } }
        try await eventually("the first runs") { lane.running == 1 }
        let second = Task { try await lane.run { _ in ran.append("second") } }
        try await eventually("the second waits") { lane.queued == 1 }
        second.cancel()
        // The only thread is busy all the time: the second ends without it.
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(lane.queued == 0)
        gate.open()
        try await first.value
        try await lane.run { _ in ran.append("third") }
        #expect(ran.events == ["third"])
    }

    @Test func aJobOfACancelledTaskIsNotTaken() async throws {
        let lane = try Lane(name: "early", threads: 1)
        let ran = EventLog<Int>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await lane.run { _ in ran.append(1) }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await lane.run { _ in ran.append(2) }
        #expect(ran.events == [2])
    }

    @Test func aJobThatAThreadTookWhileItWasCancelledDoesNotStart() async throws {
        let flag = CancellationFlag()
        let outcome = ResumeOnce<Int>()
        let ran = EventLog<Int>()
        let job = Lane.job(
            { _ in
                ran.append(1)
                return 1
            }, flag, outcome)
        // The thread has taken the job out of the line, where the cancellation won't find it any more.
        flag.cancel()
        let deliver = job.perform()
        deliver()
        await #expect(throws: CancellationError.self) { try await outcome.value() }
        #expect(ran.events.isEmpty)
    }

    @Test func aRunningJobSeesTheFlagAndItsOutcomeCounts() async throws {
        let lane = try Lane(name: "running", threads: 2)
        let regardless = Task {
            try await lane.run { flag in
                while !flag.isCancelled {}
                return "finished regardless"
            }
        }
        let stopping = Task {
            try await lane.run { flag in
                while !flag.isCancelled {}
                throw Stopped()
            }
        }
        try await eventually("both run") { lane.running == 2 }
        regardless.cancel()
        stopping.cancel()
        #expect(try await regardless.value == "finished regardless")
        await #expect(throws: Stopped.self) { try await stopping.value }
    }

    @Test func runReturnsOnlyWhenTheWorkHas() async throws {
        let lane = try Lane(name: "buffers", threads: 1)
        let gate = Gate()
        let sawFlag = EventLog<Bool>()
        let order = EventLog<String>()
        let task = Task {
            defer { order.append("run returned") }
            try await lane.run { flag in
                while !flag.isCancelled {}
                sawFlag.append(true)
                gate.pass()
                order.append("work returned")
            }
        }
        try await eventually("it runs") { lane.running == 1 }
        task.cancel()
        try await eventually("it saw the flag") { sawFlag.count == 1 }
        #expect(order.count == 0)
        gate.open()
        try await task.value
        #expect(order.events == ["work returned", "run returned"])
    }

    @Test func finishesItsJobsAfterShutDownAndRefusesNewOnes() async throws {
        let lane = try Lane(name: "closing", threads: 1)
        let gate = Gate()
        let running = Task { try await lane.run { _ in gate.pass() } }
        try await eventually("the first runs") { lane.running == 1 }
        let queued = Task { try await lane.run { _ in "done" } }
        try await eventually("the second waits") { lane.queued == 1 }
        lane.shutDown()
        lane.shutDown()
        await #expect(throws: LaneError.shutDown(lane: "closing")) { try await lane.run { _ in } }
        gate.open()
        try await running.value
        #expect(try await queued.value == "done")
        await lane.ended()
        await lane.ended()
    }

    @Test func endsItsThreadsWhenNobodyHoldsItAnyMore() async throws {
        var lane: Lane? = try Lane(name: "dropped", threads: 3)
        weak let core = lane?.core
        #expect(core != nil)
        #expect(try await lane?.run { _ in 1 } == 1)
        lane = nil
        // Each thread holds the core for as long as it lives.
        try await eventually("the threads end") { core == nil }
    }

    @Test func mayBeDroppedByItsOwnThread() async throws {
        let gate = Gate()
        let task = Task { [lane = try Lane(name: "own-thread", threads: 1)] in
            try await lane.run { [lane] _ in
                gate.pass()
                return lane.threads
            }
        }
        gate.open()
        #expect(try await task.value == 1)
    }

    @Test func endsEveryRunOnceWhereCancellationsRace() async throws {
        let lane = try Lane(name: "racing", threads: 3)
        let performed = Count()
        let finished = Count()
        let refused = Count()
        let seed = RandomRun.seed
        var random = SeededGenerator(seed: seed)
        let tasks = 4_000
        await withTaskGroup { group in
            for number in 0..<tasks {
                let yields = Int.random(in: 0...3, using: &random)
                let task = Task {
                    do {
                        try await lane.run { _ in _ = performed.add(1) }
                        finished.add(1)
                    } catch {
                        #expect(error is CancellationError)
                        refused.add(1)
                    }
                }
                group.addTask {
                    if number.isMultiple(of: 2) {
                        for _ in 0..<yields { await Task.yield() }
                        task.cancel()
                    }
                    await task.value
                }
            }
        }
        lane.shutDown()
        await lane.ended()
        // A run either gives its job's outcome or says that the job never started.
        #expect(performed.value == finished.value, "seed \(seed)")
        #expect(finished.value + refused.value == tasks, "seed \(seed)")
        #expect(lane.queued == 0)
        #expect(lane.running == 0)
    }
}
