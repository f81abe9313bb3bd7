import Analysis
import Scheduling
import TestSupport
import Testing

@Suite struct JobStoreTests {
    private struct Broken: Error {}

    private func store(_ test: TestAnalyzer, _ limits: JobLimits = JobLimits()) throws -> JobStore {
        JobStore(limits, analyzer: test.analyzer, timers: try TimerQueue(), registry: test.registry)
    }

    private func fill(_ job: Job, in store: JobStore, with numbers: Range<Int>) async throws {
        for number in numbers { try await store.receive(.image(TestAnalyzer.cat(number)), for: job) }
        job.endReceiving()
    }

    private func allResults(of job: Job) async throws -> [JobResult] {
        var all: [JobResult] = []
        while let some = try await job.results(after: all.count) { all += some }
        return all
    }

    @Test func aJobWorksItsPicturesOffAndKeepsTheResults() async throws {
        let test = try TestAnalyzer()
        let store = try store(test)
        let job = try store.begin("a", priority: .batch)
        try await store.receive(.unreadable(id: "x", Broken()), for: job)
        try await fill(job, in: store, with: 0..<5)
        let results = try await allResults(of: job)
        #expect(results.map(\.index).sorted() == Array(0..<6))
        #expect(job.end == .finished)
        #expect(store.job("a") === job)
        let progress = job.progress
        #expect((progress.total, progress.done, progress.failed) == (6, 5, 1))
        #expect(test.metric("embedd_jobs{state=\"finished\"}") == 1)
        // Only the results are left: 5 vectors of 1280 numbers.
        #expect(try #require(test.metric("embedd_jobs_bytes")) < 6 * 6_000)
        #expect(test.isIdle)
    }

    @Test func aDeletedJobIsGoneWithItsWorkAndItsMemory() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try store(test)
        try await test.withLaneHeldUp {
            let job = try store.begin("a", priority: .batch)
            try await fill(job, in: store, with: 0..<20)
            try await eventually("it works") { test.lane.queued == test.turns }
            let progress = try #require(store.delete("a"))
            #expect(progress.state == .cancelled)
            #expect(progress.cancelled == 20)
            #expect(store.delete("a") == nil)
            #expect(store.job("a") == nil)
            try await eventually("nothing is left") { test.isIdle && test.metric("embedd_jobs_bytes") == 0 }
            try await eventually("the work was counted") {
                test.metric("embedd_cancelled_total{stage=\"decode\",reason=\"deleted\"}") == Double(test.turns)
            }
            #expect(try await allResults(of: job).isEmpty)
        }
    }

    @Test func aJobThatTakesAnothersNameSharesNothingWithIt() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try store(test)
        let second = try await test.withLaneHeldUp {
            let first = try store.begin("nightly", priority: .batch)
            try await fill(first, in: store, with: 0..<3)
            try await eventually("it works") { test.lane.queued == 3 }
            let second = try store.begin("nightly", priority: .batch)
            #expect(first.end == .cancelled)
            try await fill(second, in: store, with: 100..<102)
            return second
        }
        #expect(try await allResults(of: second).map(\.index).sorted() == [0, 1])
        #expect(store.job("nightly") === second)
        #expect(second.progress.total == 2)
        try await eventually("both runs have ended") {
            test.metric("embedd_jobs_ended_total{end=\"cancelled\"}") == 1
                && test.metric("embedd_jobs_ended_total{end=\"finished\"}") == 1
        }
        // The first run's end has not taken its successor away.
        #expect(store.job("nightly") === second)
    }

    @Test func aPausedJobStandsStillUntilItIsResumed() async throws {
        let test = try TestAnalyzer()
        let store = try store(test)
        let job = try store.begin("a", priority: .batch)
        try job.pause()
        try await fill(job, in: store, with: 0..<3)
        #expect(job.progress.state == .paused)
        #expect(test.isIdle)
        try job.resume()
        #expect(try await allResults(of: job).count == 3)
        #expect(throws: JobError.hasEnded(.finished)) { try job.pause() }
    }

    @Test func whereThereIsNoMemoryPicturesWait() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        // Room for two pictures.
        let store = try store(test, JobLimits(bytes: TestAnalyzer.cat.count * 5 / 2))
        let job = try store.begin("a", priority: .batch)
        let filling = try await test.withLaneHeldUp {
            let filling = Task {
                for number in 0..<4 { try await store.receive(.image(TestAnalyzer.cat(number)), for: job) }
                job.endReceiving()
            }
            try await eventually("two are there") { job.progress.total == 2 && test.lane.queued == 2 }
            #expect(job.progress.state == .receiving)
            return filling
        }
        try await filling.value
        #expect(try await allResults(of: job).count == 4)
    }

    @Test func aJobWhoseResultsFillAllMemoryIsRefused() async throws {
        let test = try TestAnalyzer()
        let store = try store(test, JobLimits(bytes: 40_000))
        let job = try store.begin("a", priority: .batch)
        await #expect(throws: JobError.tooLarge(limitBytes: 40_000)) {
            for number in 0..<20 { try await store.receive(.image(TestAnalyzer.cat(number)), for: job) }
        }
    }

    @Test func endedJobsMakeRoomForNewOnes() async throws {
        let test = try TestAnalyzer()
        let store = try store(test, JobLimits(count: 2))
        for id in ["a", "b"] { try store.begin(id, priority: .batch).endReceiving() }
        let third = try store.begin("c", priority: .batch)
        #expect(store.all.map(\.id) == ["b", "c"])
        _ = try store.begin("d", priority: .batch)
        #expect(throws: JobError.tooManyJobs(limit: 2)) { try store.begin("e", priority: .batch) }
        #expect(store.job("c") === third)
        #expect(store.deleteAll().map(\.id) == ["c", "d"])
        #expect(store.all.isEmpty)
    }

    @Test func anEndedJobIsForgottenWhenItHasBeenKeptForLongEnough() async throws {
        let test = try TestAnalyzer()
        let store = try store(test, JobLimits(age: .milliseconds(20)))
        let job = try store.begin("a", priority: .batch)
        try await fill(job, in: store, with: 0..<1)
        try await eventually("it is forgotten") { store.job("a") == nil }
        #expect(job.end == .finished)
        #expect(test.metric("embedd_jobs_bytes") == 0)
    }

    @Test func stoppingGivesAllUpAndWaitsForTheirRuns() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try store(test)
        try await test.withLaneHeldUp {
            let job = try store.begin("a", priority: .batch)
            try await fill(job, in: store, with: 0..<5)
            try await eventually("it works") { test.lane.queued == test.turns }
            await store.stop()
            #expect(job.end == .cancelled)
            try await test.analyzer.ended()
            #expect(test.isIdle)
            #expect(
                test.metric("embedd_cancelled_total{stage=\"decode\",reason=\"shutdown\"}") == Double(test.turns))
        }
    }
}
