import Scheduling
import TestSupport
import Testing

@testable import Analysis

@Suite struct JobStoreTests {
    private struct Broken: Error {}

    @Test func aJobWorksItsPicturesOffAndKeepsTheResults() async throws {
        let test = try TestAnalyzer()
        let store = try test.jobStore()
        let job = try store.begin("a", priority: .batch)
        try await store.receive(.unreadable(id: "x", Broken()), for: job)
        try await store.fill(job, with: 0..<5)
        let results = try await job.allResults()
        #expect(results.map(\.index).sorted() == Array(0..<6))
        #expect(job.end == .finished)
        #expect(store.job("a") === job)
        let progress = job.progress
        #expect((progress.total, progress.done, progress.failed) == (6, 5, 1))
        #expect(test.metric("embedd_jobs{state=\"finished\"}") == 1)
        #expect(test.metric("embedd_jobs{state=\"running\"}") == 0)
        #expect(test.metric("embedd_jobs{state=\"cancelled\"}") == nil)
        // Only the results are left: 5 vectors of 1280 numbers.
        try await eventually("the pictures are given back") { (test.metric("embedd_jobs_bytes") ?? 0) < 6 * 6_000 }
        #expect(test.isIdle)
    }

    @Test func aPausedJobStandsStillUntilItIsResumed() async throws {
        let test = try TestAnalyzer()
        let store = try test.jobStore()
        let job = try store.begin("a", priority: .batch)
        try job.pause()
        try await store.fill(job, with: 0..<3)
        // A picture that came later is done, so the job's would have been too.
        _ = try await test.analyzer.analyze(TestAnalyzer.cat(3), .batch)
        #expect(job.progress.state == .paused)
        #expect(job.progress.done == 0)
        #expect(test.isIdle)
        try job.resume()
        #expect(try await job.allResults().count == 3)
        #expect(throws: JobError.hasEnded(.finished)) { try job.pause() }
    }

    @Test func aJobThatTakesAnothersNameSharesNothingWithIt() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try test.jobStore()
        let second = try await test.withLaneHeldUp {
            let first = try store.begin("nightly", priority: .batch)
            try await store.fill(first, with: 0..<3)
            try await eventually("it works") { test.lane.queued == 3 }
            let second = try store.begin("nightly", priority: .batch)
            #expect(first.end == .cancelled)
            try await store.fill(second, with: 100..<102)
            return second
        }
        #expect(try await second.allResults().map(\.index).sorted() == [0, 1])
        #expect(store.job("nightly") === second)
        #expect(second.progress.total == 2)
        try await eventually("both runs have ended") {
            test.metric("embedd_jobs_ended_total{end=\"cancelled\"}") == 1
                && test.metric("embedd_jobs_ended_total{end=\"finished\"}") == 1
        }
        // The first run's end has not taken its successor away.
        #expect(store.job("nightly") === second)
    }

    @Test func aDeletedJobIsGoneWithItsWorkAndItsMemory() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try test.jobStore()
        try await test.withLaneHeldUp {
            let job = try store.begin("a", priority: .batch)
            try await store.fill(job, with: 0..<4 * test.turns)
            try await eventually("it works, and its window is full") {
                test.lane.queued == test.turns && test.analyzer.load.waitingImages == test.turns
            }
            let progress = try #require(store.delete("a"))
            #expect(progress.state == .cancelled)
            #expect(progress.cancelled == 4 * test.turns)
            #expect(store.delete("a") == nil)
            #expect(store.job("a") == nil)
            try await eventually("nothing is left") { test.isIdle && test.metric("embedd_jobs_bytes") == 0 }
            try await eventually("the work was counted") {
                // The whole window: who was in the line may have got a turn when another gave it back.
                ["queue", "decode"].compactMap {
                    test.metric("embedd_cancelled_total{stage=\"\($0)\",reason=\"deleted\"}")
                }
                .reduce(0, +) == Double(2 * test.turns)
            }
            await #expect(throws: JobError.cancelled) { try await job.results(after: 0) }
            #expect(throws: JobError.cancelled) { try job.endReceiving() }
        }
    }

    @Test func whoReadsAForgottenJobIsToldAndHoldsNothingOfIt() async throws {
        let test = try TestAnalyzer()
        let store = try test.jobStore()
        let job = try store.begin("a", priority: .batch)
        try await store.fill(job, with: 0..<2)
        #expect(try await job.allResults().count == 2)
        _ = store.delete("a")
        #expect(test.metric("embedd_jobs_bytes") == 0)
        await #expect(throws: JobError.cancelled) { try await job.results(after: 1) }
    }

    @Test func workIsCountedUnderWhatGaveItUp() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try test.jobStore()
        try await test.withLaneHeldUp {
            let job = try store.begin("a", priority: .batch)
            try await store.fill(job, with: 0..<1)
            try await eventually("it works") { test.lane.queued == 1 }
            store.delete(job, for: .clientGone)
            try await eventually("the work was counted") {
                test.metric("embedd_cancelled_total{stage=\"decode\",reason=\"client_gone\"}") == 1
            }
        }
    }
}
