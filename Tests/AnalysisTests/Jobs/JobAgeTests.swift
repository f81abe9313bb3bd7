import Scheduling
import TestSupport
import Testing

@testable import Analysis

@Suite struct JobAgeTests {
    /// Seconds. On a busy machine a job's picture may come too late for a short age: then a longer one is tried.
    private static let ages = [1, 4, 16]

    @Test func jobsThatStandStillAreForgottenWhetherPausedOrNotSent() async throws {
        let test = try TestAnalyzer()
        let store = try test.jobStore(JobLimits(age: .milliseconds(20)))
        let paused = try store.begin("paused", priority: .batch)
        // Either may be gone already: this machine may have been busy.
        try? paused.pause()
        let notSent = try store.begin("not sent", priority: .batch)
        try await eventually("they are forgotten") { store.all.isEmpty }
        // They are gone before they are given up.
        try await eventually("both were given up") { paused.end == .cancelled && notSent.end == .cancelled }
    }

    @Test func aJobThatIsWorkedOnIsNotForgottenHoweverLongItTakes() async throws {
        for seconds in Self.ages where try await isKept(beyond: .seconds(seconds)) { return }
        Issue.record("a picture took longer to be received, or its result to be read, than the longest age")
    }

    /// - Returns: Whether the picture came before the job was forgotten for want of it.
    private func isKept(beyond age: Duration) async throws -> Bool {
        let test = try TestAnalyzer(decodeThreads: 1)
        let timers = try TimerQueue()
        let store = JobStore(JobLimits(age: age), analyzer: test.analyzer, timers: timers, registry: test.registry)
        defer { withExtendedLifetime(store) {} }
        let job = try await test.withLaneHeldUp { () -> Job? in
            let job = try store.begin("a", priority: .batch)
            do {
                try await store.fill(job, with: 0..<1)
            } catch JobError.cancelled {
                return nil
            }
            // A timer that comes after the job's own has.
            let later = ResumeOnce<Void>()
            timers.schedule(at: .now + age * 2) { later.resume() }
            try await later.value()
            #expect(store.job("a") === job)
            return job
        }
        guard let job else { return false }
        do {
            #expect(try await job.allResults().count == 1)
        } catch JobError.cancelled {
            // It had ended, and was kept for no longer than its age.
            return false
        }
        return true
    }

    @Test func anEndedJobIsForgottenWhenItHasBeenKeptForLongEnough() async throws {
        for seconds in Self.ages where try await isForgotten(after: .seconds(seconds)) { return }
        Issue.record("a job of one picture took longer than the longest age")
    }

    /// - Returns: Whether the job ended before it was forgotten for standing still.
    private func isForgotten(after age: Duration) async throws -> Bool {
        let test = try TestAnalyzer()
        let store = try test.jobStore(JobLimits(age: age))
        let job = try store.begin("a", priority: .batch)
        do {
            try await store.fill(job, with: 0..<1)
            #expect(try await job.allResults().count == 1)
        } catch JobError.cancelled {
            return false
        }
        try await eventually("it is forgotten") { store.job("a") == nil }
        #expect(job.end == .finished)
        try await eventually("its memory is free") { test.metric("embedd_jobs_bytes") == 0 }
        return true
    }

    @Test func jobsAreGivenUpWithTheirStore() async throws {
        let test = try TestAnalyzer()
        // The store is gone with this line: its registry and its timers know it weakly.
        let job = try test.jobStore().begin("a", priority: .batch)
        #expect(job.end == .cancelled)
        await job.ended()
    }

    @Test func afterTheShutdownNoJobIsBegunAndEndedOnesCanBeRead() async throws {
        let test = try TestAnalyzer()
        let store = try test.jobStore()
        let ended = try store.begin("ended", priority: .batch)
        try await store.fill(ended, with: 0..<1)
        _ = try await ended.allResults()
        let underWay = try store.begin("under way", priority: .batch)
        let waiting = Task { try await underWay.waitForEnd() }
        store.shutDown()
        try await waiting.value
        #expect(throws: JobError.stopping) { try store.begin("ended", priority: .batch) }
        #expect(store.all.map(\.id) == ["ended"])
        #expect(try await #require(store.job("ended")).allResults().count == 1)
        #expect(underWay.givenUp == .shutdown)
        await store.ended()
    }

    @Test func stoppingGivesAllUpAndWaitsForTheirRuns() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try test.jobStore()
        try await test.withLaneHeldUp {
            let job = try store.begin("a", priority: .batch)
            // As many as a job has under way or in the line.
            try await store.fill(job, with: 0..<2 * test.turns)
            try await eventually("all are under way or in the line") {
                test.lane.queued == test.turns && test.analyzer.load.waitingImages == test.turns
            }
            store.shutDown()
            #expect(job.end == .cancelled)
            #expect(job.givenUp == .shutdown)
            await store.ended()
            try await test.analyzer.ended()
            #expect(test.isIdle)
            // Those that had their turn, and those in the line, which may get one when another gives it back.
            let cancelled = ["queue", "decode"].compactMap {
                test.metric("embedd_cancelled_total{stage=\"\($0)\",reason=\"shutdown\"}")
            }
            #expect(cancelled.reduce(0, +) == Double(2 * test.turns))
        }
    }
}
