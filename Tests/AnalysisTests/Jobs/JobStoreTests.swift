import Scheduling
import TestSupport
import Testing

@testable import Analysis

@Suite struct JobStoreTests {
    private struct Broken: Error {}

    /// Seconds. On a busy machine a job's picture may come too late for a short age: then a longer one is tried.
    private static let ages = [1, 4, 16]

    private func store(_ test: TestAnalyzer, _ limits: JobLimits = JobLimits()) throws -> JobStore {
        JobStore(limits, analyzer: test.analyzer, timers: try TimerQueue(), registry: test.registry)
    }

    private func fill(_ job: Job, in store: JobStore, with numbers: Range<Int>) async throws {
        for number in numbers { try await store.receive(.image(TestAnalyzer.cat(number)), for: job) }
        try job.endReceiving()
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
        #expect(test.metric("embedd_jobs{state=\"running\"}") == 0)
        #expect(test.metric("embedd_jobs{state=\"cancelled\"}") == nil)
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
        // A picture that came later is done, so the job's would have been too.
        _ = try await test.analyzer.analyze(TestAnalyzer.cat(3), .batch)
        #expect(job.progress.state == .paused)
        #expect(job.progress.done == 0)
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
                try job.endReceiving()
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

    /// Room for two pictures and one result.
    private static let twoPictures = JobLimits(bytes: TestAnalyzer.cat.count * 5 / 2)

    /// A job that has ended, with one result.
    private func beginEndedJob(_ id: String, in store: JobStore) async throws {
        let job = try store.begin(id, priority: .batch)
        try await fill(job, in: store, with: 0..<1)
        _ = try await allResults(of: job)
    }

    @Test func endedJobsAreKeptWhereWaitingPicturesWillMakeRoom() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try store(test, Self.twoPictures)
        try await beginEndedJob("ended", in: store)
        let job = try store.begin("a", priority: .batch)
        let filling = try await test.withLaneHeldUp {
            let filling = Task { try await fill(job, in: store, with: 0..<3) }
            try await eventually("two are there") { job.progress.total == 2 && test.lane.queued == 2 }
            return filling
        }
        try await filling.value
        #expect(try await allResults(of: job).count == 3)
        #expect(store.job("ended")?.progress.done == 1)
    }

    @Test func aPausedJobThatHoldsAllMemoryDoesNotHoldUpOthers() async throws {
        let test = try TestAnalyzer()
        let store = try store(test, Self.twoPictures)
        try await beginEndedJob("ended", in: store)
        let paused = try store.begin("paused", priority: .batch)
        try paused.pause()
        try await fill(paused, in: store, with: 0..<2)
        // The ended job doesn't give enough, and is gone all the same: there is no other way.
        let other = try store.begin("b", priority: .batch)
        await #expect(throws: JobError.noRoom(limitBytes: Self.twoPictures.bytes)) {
            try await store.receive(.image(TestAnalyzer.cat(5)), for: other)
        }
        #expect(store.all.map(\.id) == ["paused"])
        try paused.resume()
        #expect(try await allResults(of: paused).count == 2)
    }

    @Test func whoeverWaitsForAJobThatIsPausedThenIsRefused() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try store(test, Self.twoPictures)
        try await test.withLaneHeldUp {
            let job = try store.begin("a", priority: .batch)
            try await fill(job, in: store, with: 0..<2)
            let other = try store.begin("b", priority: .batch)
            let waiting = Task { try await store.receive(.image(TestAnalyzer.cat(5)), for: other) }
            try await eventually("it has come") { other.standsStillSince == nil }
            // Most likely it waits by then; the test holds either way.
            for _ in 0..<100 { await Task.yield() }
            try job.pause()
            await #expect(throws: JobError.noRoom(limitBytes: Self.twoPictures.bytes)) { try await waiting.value }
        }
    }

    @Test func whoeverWaitsForRoomIsToldThatTheJobIsGone() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try store(test, Self.twoPictures)
        try await test.withLaneHeldUp {
            let holder = try store.begin("holder", priority: .batch)
            try await fill(holder, in: store, with: 0..<2)
            let job = try store.begin("a", priority: .batch)
            let waiting = Task { try await store.receive(.image(TestAnalyzer.cat(5)), for: job) }
            try await eventually("it has come") { job.standsStillSince == nil }
            // Most likely it waits by then; the test holds either way.
            for _ in 0..<100 { await Task.yield() }
            #expect(store.delete("a") != nil)
            await #expect(throws: JobError.cancelled) { try await waiting.value }
            #expect(holder.progress.done == 0)
        }
    }

    @Test func whoeverGivesUpWaitingForRoomIsNotInTheWayOfOthers() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try store(test, Self.twoPictures)
        let (second, waiting) = try await test.withLaneHeldUp {
            try await fill(try store.begin("holder", priority: .batch), in: store, with: 0..<2)
            let (first, second) = (
                try store.begin("a", priority: .batch), try store.begin("b", priority: .batch)
            )
            let leaving = Task { try await store.receive(.image(TestAnalyzer.cat(5)), for: first) }
            let waiting = Task { try await store.receive(.image(TestAnalyzer.cat(6)), for: second) }
            leaving.cancel()
            await #expect(throws: CancellationError.self) { try await leaving.value }
            return (second, waiting)
        }
        try await waiting.value
        #expect(second.progress.total == 1)
    }

    @Test func jobsThatFillAllMemoryTogetherAreNotToldThatTheyAreTooLarge() async throws {
        let test = try TestAnalyzer()
        // Room for a picture and a result, not for two results.
        let store = try store(test, JobLimits(bytes: TestAnalyzer.cat.count + 9_000))
        let jobs = (try store.begin("a", priority: .batch), try store.begin("b", priority: .batch))
        try await store.receive(.image(TestAnalyzer.cat(0)), for: jobs.0)
        try await store.receive(.image(TestAnalyzer.cat(1)), for: jobs.1)
        try await eventually("both have a result") { jobs.0.progress.done + jobs.1.progress.done == 2 }
        await #expect(throws: JobError.noRoom(limitBytes: TestAnalyzer.cat.count + 9_000)) {
            try await store.receive(.image(TestAnalyzer.cat(2)), for: jobs.0)
        }
        // It was given up, so there is room.
        #expect(store.all.map(\.id) == ["b"])
        try await store.receive(.image(TestAnalyzer.cat(2)), for: jobs.1)
    }

    @Test func whoReadsAForgottenJobIsToldAndHoldsNothingOfIt() async throws {
        let test = try TestAnalyzer()
        let store = try store(test)
        let job = try store.begin("a", priority: .batch)
        try await fill(job, in: store, with: 0..<2)
        #expect(try await allResults(of: job).count == 2)
        _ = store.delete("a")
        #expect(test.metric("embedd_jobs_bytes") == 0)
        await #expect(throws: JobError.cancelled) { try await job.results(after: 1) }
    }

    @Test func workIsCountedUnderWhatGaveItUp() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try store(test)
        try await test.withLaneHeldUp {
            let job = try store.begin("a", priority: .batch)
            try await fill(job, in: store, with: 0..<1)
            try await eventually("it works") { test.lane.queued == 1 }
            store.delete(job, for: .clientGone)
            try await eventually("the work was counted") {
                test.metric("embedd_cancelled_total{stage=\"decode\",reason=\"client_gone\"}") == 1
            }
        }
    }

    @Test func jobsThatStandStillAreForgottenWhetherPausedOrNotSent() async throws {
        let test = try TestAnalyzer()
        let store = try store(test, JobLimits(age: .milliseconds(20)))
        let paused = try store.begin("paused", priority: .batch)
        // Either may be gone already: this machine may have been busy.
        try? paused.pause()
        let notSent = try store.begin("not sent", priority: .batch)
        try await eventually("they are forgotten") { store.all.isEmpty }
        #expect(paused.end == .cancelled)
        #expect(notSent.end == .cancelled)
    }

    @Test func aJobThatIsWorkedOnIsNotForgottenHoweverLongItTakes() async throws {
        for seconds in Self.ages where try await isKept(beyond: .seconds(seconds)) { return }
        Issue.record("a picture took longer to be received than the longest age")
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
                try await fill(job, in: store, with: 0..<1)
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
        #expect(try await allResults(of: job).count == 1)
        return true
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
        for seconds in Self.ages where try await isForgotten(after: .seconds(seconds)) { return }
        Issue.record("a job of one picture took longer than the longest age")
    }

    /// - Returns: Whether the job ended before it was forgotten for standing still.
    private func isForgotten(after age: Duration) async throws -> Bool {
        let test = try TestAnalyzer()
        let store = try store(test, JobLimits(age: age))
        let job = try store.begin("a", priority: .batch)
        do {
            try await fill(job, in: store, with: 0..<1)
            #expect(try await allResults(of: job).count == 1)
        } catch JobError.cancelled {
            return false
        }
        try await eventually("it is forgotten") { store.job("a") == nil }
        #expect(job.end == .finished)
        #expect(test.metric("embedd_jobs_bytes") == 0)
        return true
    }

    @Test func jobsAreGivenUpWithTheirStore() async throws {
        let test = try TestAnalyzer()
        // The store is gone with this line: its registry and its timers know it weakly.
        let job = try store(test).begin("a", priority: .batch)
        #expect(job.end == .cancelled)
        await job.ended()
    }

    @Test func afterTheShutdownNoJobIsBegunAndEndedOnesCanBeRead() async throws {
        let test = try TestAnalyzer()
        let store = try store(test)
        try await beginEndedJob("ended", in: store)
        let underWay = try store.begin("under way", priority: .batch)
        let waiting = Task { try await underWay.waitForEnd() }
        store.shutDown()
        try await waiting.value
        #expect(throws: JobError.stopping) { try store.begin("ended", priority: .batch) }
        #expect(store.all.map(\.id) == ["ended"])
        #expect(try await allResults(of: #require(store.job("ended"))).count == 1)
        #expect(underWay.givenUp == .shutdown)
        await store.ended()
    }

    @Test func stoppingGivesAllUpAndWaitsForTheirRuns() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try store(test)
        try await test.withLaneHeldUp {
            let job = try store.begin("a", priority: .batch)
            try await fill(job, in: store, with: 0..<5)
            try await eventually("it works") { test.lane.queued == test.turns }
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
            #expect(cancelled.reduce(0, +) == 5)
        }
    }
}
