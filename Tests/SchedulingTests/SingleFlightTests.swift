import TestSupport
import Testing

@testable import Scheduling

@Suite struct SingleFlightTests {
    private struct Broken: Error {}

    @Test func allWhoAskMeanwhileGetTheOneResult() async throws {
        let flight = SingleFlight<String, Int>()
        let control = RunControl()
        let runs = Count()
        let outcomes = try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    try await flight.run("key") {
                        try await control.hold()
                        return runs.add(1)
                    }
                }
            }
            try await eventually("all wait") { flight.waiting == 50 }
            #expect(flight.inFlight == 1)
            control.letEnd()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.map(\.value) == Array(repeating: 1, count: 50))
        #expect(outcomes.filter { $0.role == .leader }.count == 1)
        #expect(flight.inFlight == 0)
        #expect(flight.waiting == 0)
    }

    @Test func keepsNoResults() async throws {
        let flight = SingleFlight<String, Int>()
        let runs = Count()
        for expected in 1...3 {
            let outcome = try await flight.run("key") { runs.add(1) }
            #expect(outcome == FlightOutcome(value: expected, role: .leader))
        }
    }

    @Test func differentKeysRunSideBySide() async throws {
        let flight = SingleFlight<Int, Int>()
        let controls = [RunControl(), RunControl()]
        async let first = flight.run(0) {
            try await controls[0].hold()
            return 10
        }
        async let second = flight.run(1) {
            try await controls[1].hold()
            return 11
        }
        try await eventually("both run") { flight.inFlight == 2 }
        controls[1].letEnd()
        #expect(try await second.value == 11)
        #expect(flight.inFlight == 1)
        controls[0].letEnd()
        #expect(try await first.value == 10)
    }

    @Test func aFailureIsEverybodys() async throws {
        let flight = SingleFlight<String, Int>()
        let control = RunControl()
        let tasks = (0..<5).map { _ in
            Task {
                try await flight.run("key") {
                    try? await control.hold()
                    throw Broken()
                }
            }
        }
        try await eventually("all wait") { flight.waiting == 5 }
        control.letEnd()
        for task in tasks {
            await #expect(throws: Broken.self) { try await task.value }
        }
        #expect(flight.inFlight == 0)
    }

    @Test func aLeaverLeavesAloneAndAtOnce() async throws {
        let flight = SingleFlight<String, Int>()
        let control = RunControl()
        let run: @Sendable () async throws -> Int = {
            try await control.hold()
            return 7
        }
        let leader = Task { try await flight.run("key", run) }
        try await eventually("the leader waits") { flight.waiting == 1 }
        let other = Task { try await flight.run("key", run) }
        try await eventually("both wait") { flight.waiting == 2 }

        leader.cancel()
        await #expect(throws: CancellationError.self) { try await leader.value }
        #expect(flight.waiting == 1)
        #expect(flight.inFlight == 1)
        #expect(!control.isCancelled)
        control.letEnd()
        #expect(try await other.value == FlightOutcome(value: 7, role: .joined))
    }

    @Test func theLastToLeaveCancelsTheRunAndDoesNotAwaitIt() async throws {
        let ended = EventLog<Duration>()
        let flight = SingleFlight<String, Int>(abandonedRunEnded: { ended.append($0) })
        let control = RunControl()
        let tasks = (0..<3).map { _ in
            Task {
                try await flight.run("key") {
                    try await control.hold()
                    return 7
                }
            }
        }
        try await eventually("all wait") { flight.waiting == 3 }
        for (index, task) in tasks.enumerated() {
            #expect(!control.isCancelled)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(flight.waiting == 2 - index)
        }
        try await eventually("the run is cancelled") { control.isCancelled }
        #expect(flight.inFlight == 0)
        #expect(flight.abandoned == 1)
        #expect(ended.count == 0)
        control.letEnd()
        try await eventually("the run has ended") { ended.count == 1 }
        #expect(flight.abandoned == 0)
    }

    @Test(arguments: [false, true])
    func aNewcomerNeverMeetsTheCancelledRun(oldRunFails: Bool) async throws {
        let ended = Count()
        let flight = SingleFlight<String, Int>(abandonedRunEnded: { _ in ended.add(1) })
        let old = RunControl()
        let new = RunControl()
        let leaver = Task {
            try await flight.run("key") {
                try await old.hold()
                return 1
            }
        }
        try await eventually("the first waits") { flight.waiting == 1 }
        leaver.cancel()
        await #expect(throws: CancellationError.self) { try await leaver.value }

        let newcomer = Task {
            try await flight.run("key") {
                try await new.hold()
                return 2
            }
        }
        try await eventually("the newcomer waits") { flight.waiting == 1 }
        old.letEnd(failing: oldRunFails)
        try await eventually("the old run has ended") { ended.value == 1 }
        #expect(flight.waiting == 1)
        #expect(flight.inFlight == 1)
        #expect(!new.isCancelled)
        new.letEnd()
        #expect(try await newcomer.value == FlightOutcome(value: 2, role: .leader))
        #expect(ended.value == 1)
    }

    @Test func aCancelledTaskStartsNothingAndIsToldOf() async throws {
        let left = Count()
        let flight = SingleFlight<String, Int>(waiterLeft: { _ in left.add(1) })
        let runs = Count()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await flight.run("key") { runs.add(1) }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(runs.value == 0)
        #expect(left.value == 1)
        #expect(flight.inFlight == 0)
    }

    /// Arrivals, departures and ends race here on all threads; every caller has to come out, and nothing may be left.
    @Test func nothingIsLeftWhereEverythingRaces() async throws {
        let abandonedRuns = Count()
        let startedRuns = Count()
        let endedRuns = Count()
        let flight = SingleFlight<Int, Int>(abandonedRunEnded: { _ in abandonedRuns.add(1) })
        let results = Count()
        let departures = Count()
        let callers = 20_000
        await withTaskGroup { group in
            for number in 0..<callers {
                group.addTask {
                    let key = number % 5
                    let task = Task {
                        try await flight.run(key) {
                            startedRuns.add(1)
                            defer { endedRuns.add(1) }
                            for _ in 0..<(number % 4) { await Task.yield() }
                            return key
                        }
                    }
                    if number % 3 > 0 {
                        for _ in 0..<(number % 7) { await Task.yield() }
                        task.cancel()
                    }
                    do {
                        #expect(try await task.value.value == key)
                        results.add(1)
                    } catch {
                        #expect(error is CancellationError)
                        departures.add(1)
                    }
                }
            }
        }
        try await eventually("all runs have ended") { flight.abandoned == 0 }
        #expect(results.value + departures.value == callers)
        #expect(startedRuns.value == endedRuns.value)
        #expect(abandonedRuns.value <= departures.value)
        #expect(flight.inFlight == 0)
        #expect(flight.waiting == 0)
    }
}
