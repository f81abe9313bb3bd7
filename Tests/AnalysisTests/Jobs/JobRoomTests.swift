import Scheduling
import TestSupport
import Testing

@testable import Analysis

@Suite struct JobRoomTests {
    /// Room for two pictures and one result.
    private static let twoPictures = JobLimits(bytes: TestAnalyzer.cat.count * 5 / 2)

    /// A job that has ended, with one result.
    private func beginEndedJob(_ id: String, in store: JobStore) async throws {
        let job = try store.begin(id, priority: .batch)
        try await store.fill(job, with: 0..<1)
        _ = try await job.allResults()
    }

    @Test func whereThereIsNoMemoryPicturesWait() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        // Room for two pictures.
        let store = try test.jobStore(JobLimits(bytes: TestAnalyzer.cat.count * 5 / 2))
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
        #expect(try await job.allResults().count == 4)
    }

    @Test func aJobWhoseResultsFillAllMemoryIsRefused() async throws {
        let test = try TestAnalyzer()
        let store = try test.jobStore(JobLimits(bytes: 40_000))
        let job = try store.begin("a", priority: .batch)
        await #expect(throws: JobError.tooLarge(limitBytes: 40_000)) {
            for number in 0..<20 { try await store.receive(.image(TestAnalyzer.cat(number)), for: job) }
        }
    }

    @Test func endedJobsAreKeptWhereWaitingPicturesWillMakeRoom() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try test.jobStore(Self.twoPictures)
        try await beginEndedJob("ended", in: store)
        let job = try store.begin("a", priority: .batch)
        let filling = try await test.withLaneHeldUp {
            let filling = Task { try await store.fill(job, with: 0..<3) }
            try await eventually("two are there") { job.progress.total == 2 && test.lane.queued == 2 }
            return filling
        }
        try await filling.value
        #expect(try await job.allResults().count == 3)
        #expect(store.job("ended")?.progress.done == 1)
    }

    @Test func aPausedJobThatHoldsAllMemoryDoesNotHoldUpOthers() async throws {
        let test = try TestAnalyzer()
        let store = try test.jobStore(Self.twoPictures)
        try await beginEndedJob("ended", in: store)
        let paused = try store.begin("paused", priority: .batch)
        try paused.pause()
        try await store.fill(paused, with: 0..<2)
        // The ended job doesn't give enough, and is gone all the same: there is no other way.
        let other = try store.begin("b", priority: .batch)
        await #expect(throws: JobError.noRoom(limitBytes: Self.twoPictures.bytes)) {
            try await store.receive(.image(TestAnalyzer.cat(5)), for: other)
        }
        #expect(store.all.map(\.id) == ["paused"])
        try paused.resume()
        #expect(try await paused.allResults().count == 2)
    }

    @Test func whoeverWaitsForAJobThatIsPausedThenIsRefused() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let store = try test.jobStore(Self.twoPictures)
        try await test.withLaneHeldUp {
            let job = try store.begin("a", priority: .batch)
            try await store.fill(job, with: 0..<2)
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
        let store = try test.jobStore(Self.twoPictures)
        try await test.withLaneHeldUp {
            let holder = try store.begin("holder", priority: .batch)
            try await store.fill(holder, with: 0..<2)
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
        let store = try test.jobStore(Self.twoPictures)
        let (second, waiting) = try await test.withLaneHeldUp {
            try await store.fill(try store.begin("holder", priority: .batch), with: 0..<2)
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
        let store = try test.jobStore(JobLimits(bytes: TestAnalyzer.cat.count + 9_000))
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

    @Test func endedJobsMakeRoomForNewOnes() async throws {
        let test = try TestAnalyzer()
        let store = try test.jobStore(JobLimits(count: 2))
        for id in ["a", "b"] { try store.begin(id, priority: .batch).endReceiving() }
        let third = try store.begin("c", priority: .batch)
        #expect(store.all.map(\.id) == ["b", "c"])
        _ = try store.begin("d", priority: .batch)
        #expect(throws: JobError.tooManyJobs(limit: 2)) { try store.begin("e", priority: .batch) }
        #expect(store.job("c") === third)
        #expect(store.deleteAll().map(\.id) == ["c", "d"])
        #expect(store.all.isEmpty)
    }
}
