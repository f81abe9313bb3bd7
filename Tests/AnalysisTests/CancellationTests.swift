import Scheduling
import TestSupport
import Testing

@testable import Analysis

@Suite struct CancellationTests {
    /// Runs an analysis in a task with a cause, gives it up for `reason` as soon as `isThere`, and waits for the end.
    private func cancel(
        _ source: ImageSource, in test: TestAnalyzer, for reason: CancellationCause.Reason, once isThere: () -> Bool
    ) async throws {
        let cause = CancellationCause()
        let task = Task {
            try await CancellationCause.$current.withValue(cause) { try await test.analyzer.analyze(source) }
        }
        try await eventually("it is there", isThere)
        cause.declare(reason)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: CancellationCause.Reason.allCases)
    func isCountedWithItsReasonWhileWaitingForATurn(reason: CancellationCause.Reason) async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        try await test.withLaneHeldUp {
            let holders = (0..<test.turns).map { number in
                Task { try await test.analyzer.analyze(TestAnalyzer.cat(number)) }
            }
            try await eventually("all turns are taken") { test.lane.queued == test.turns }
            try await cancel(TestAnalyzer.cat(100), in: test, for: reason) { test.analyzer.load.waitingImages == 1 }
            try await eventually("it has left") { test.analyzer.load.waitingImages == 0 }
            try await eventually("it was counted") {
                test.metric("embedd_cancelled_total{stage=\"queue\",reason=\"\(reason.rawValue)\"}") == 1
            }
            #expect(test.metric("embedd_cancel_latency_seconds_count{stage=\"queue\"}") == 1)
            for holder in holders { holder.cancel() }
            for holder in holders { _ = await holder.result }
        }
        try await eventually("nothing is left") { test.isIdle }
    }

    @Test func isCountedWhileDecoding() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        try await test.withLaneHeldUp {
            try await cancel(TestAnalyzer.cat(1), in: test, for: .deadline) { test.lane.queued == 1 }
            try await eventually("it was counted") {
                test.metric("embedd_cancelled_total{stage=\"decode\",reason=\"deadline\"}") == 1
            }
            try await eventually("nothing is left") { test.isIdle }
        }
        // It had not begun, so nothing was done in vain.
        #expect(test.metric("embedd_wasted_seconds_total") == 0)
        #expect(test.metric("embedd_stage_duration_seconds_count{stage=\"decode\"}") == 0)
    }

    @Test func oneWithoutACauseIsCountedAsOther() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        try await test.withLaneHeldUp {
            let task = Task { try await test.analyzer.analyze(TestAnalyzer.cat(1)) }
            try await eventually("it waits for a thread") { test.lane.queued == 1 }
            task.cancel()
            _ = await task.result
            try await eventually("it was counted") {
                test.metric("embedd_cancelled_total{stage=\"decode\",reason=\"other\"}") == 1
            }
        }
    }

    @Test func whoeverLeavesOthersWorkIsCountedAsOnAFlightAndTheWorkGoesOn() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let other = try await test.withLaneHeldUp {
            let source = TestAnalyzer.cat(1)
            let other = Task { try await test.analyzer.analyze(source) }
            try await eventually("it waits for a thread") { test.lane.queued == 1 }
            try await cancel(source, in: test, for: .clientGone) { test.analyzer.flights.waiting == 2 }
            #expect(test.metric("embedd_cancelled_total{stage=\"flight\",reason=\"client_gone\"}") == 1)
            #expect(test.lane.queued == 1)
            return other
        }
        #expect(try await other.value.embedding.count == 1280)
        #expect(test.metric("embedd_stage_duration_seconds_count{stage=\"decode\"}") == 1)
        #expect(test.isIdle)
    }

    @Test func theLastToLeaveTakesTheWorkWithIt() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        try await test.withLaneHeldUp {
            let source = TestAnalyzer.cat(1)
            let first = Task { try await test.analyzer.analyze(source) }
            try await eventually("it waits for a thread") { test.lane.queued == 1 }
            let second = Task { try await test.analyzer.analyze(source) }
            try await eventually("both are there") { test.analyzer.flights.waiting == 2 }
            first.cancel()
            second.cancel()
            _ = await (first.result, second.result)
            try await eventually("nothing is left") { test.isIdle }
        }
        #expect(test.metric("embedd_stage_duration_seconds_count{stage=\"decode\"}") == 0)
    }

    @Test func atAnyMomentNothingIsLeftAndTheNextPictureIsServed() async throws {
        let test = try TestAnalyzer()
        var random = SeededGenerator(seed: 11)
        for number in 0..<150 {
            let task = Task { try await test.analyzer.analyze(TestAnalyzer.cat(number)) }
            for _ in 0..<Int.random(in: 0..<400, using: &random) { await Task.yield() }
            task.cancel()
            _ = await task.result
        }
        try await eventually("nothing is left") { test.isIdle }
        #expect(try await test.analyzer.analyze(TestAnalyzer.cat(1000)).embedding.count == 1280)
    }
}
