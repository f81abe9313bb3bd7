import Imaging
import Inference
import Scheduling
import TestSupport
import Testing

@testable import Analysis

@Suite struct SingleFlightTests {
    @Test func identicalPicturesAtTheSameTimeAreWorkedOnOnce() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let tasks = try await test.withLaneHeldUp {
            let tasks = (0..<10).map { _ in Task { try await test.analyzer.analyze(TestAnalyzer.cat(1)) } }
            try await eventually("all are there") {
                test.analyzer.flights.waiting == 10 && test.lane.queued == 1
            }
            return tasks
        }
        var vectors: Set<[Float]> = []
        for task in tasks { vectors.insert(try await task.value.embedding) }
        #expect(vectors.count == 1)
        #expect(test.metric("embedd_stage_duration_seconds_count{stage=\"decode\"}") == 1)
        #expect(test.metric("embedd_images_total{format=\"jpeg\",outcome=\"ok\"}") == 10)
    }

    @Test func batchAndInteractiveImagesDoNotWaitForEachOther() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let tasks = try await test.withLaneHeldUp {
            let tasks = [Urgency.batch, .interactive()].map { urgency in
                Task { try await test.analyzer.analyze(TestAnalyzer.cat(1), urgency) }
            }
            try await eventually("each has its own work") { test.lane.queued == 2 }
            return tasks
        }
        for task in tasks { _ = try await task.value }
    }

    @Test func aKnownPictureIsAnsweredWithoutWorkEvenWhenAllThreadsAreBusy() async throws {
        let test = try TestAnalyzer(decodeThreads: 1, cacheBytes: 1 << 20)
        let first = try await test.analyzer.analyze(TestAnalyzer.cat(1))
        #expect(!first.isCached)
        try await test.withLaneHeldUp {
            let second = try await test.analyzer.analyze(TestAnalyzer.cat(1))
            #expect(second.isCached)
            #expect(second.embedding == first.embedding)
            #expect(second.header == first.header)
            #expect(second.dominantColor == first.dominantColor)
            #expect(second.digest == first.digest)
        }
        #expect(test.metric("embedd_cache_requests_total{tier=\"memory\",result=\"hit\"}") == 1)
    }

    private func key(of source: ImageSource, in test: TestAnalyzer) -> AnalysisKey {
        AnalysisKey(content: SHA256Digest(of: source.bytes), fingerprint: test.analyzer.fingerprint)
    }

    @Test func whoeverJoinedWorkThatIsRefusedIsRefusedWithoutBeginningAnew() async throws {
        let test = try TestAnalyzer(
            decodeThreads: 1, AnalyzerConfiguration(admission: .patient(images: 1)))
        let source = TestAnalyzer.cat(1000)
        let flights = test.analyzer.flights
        let runs = "embedd_stage_duration_seconds_count{stage=\"queue\"}"
        try await test.withLaneHeldUp {
            var holders = try await test.takeTurns()
            holders.append(Task { try await test.analyzer.analyze(TestAnalyzer.cat(100)) })
            try await eventually("the line is full") { test.analyzer.load.waitingImages == 1 }
            let refusal = ResumeOnce<ImageAnalysis>()
            let key = Analyzer.FlightKey(analysis: key(of: source, in: test), priority: .interactive)
            let waitingBefore = flights.waiting
            let leader = Task { try await flights.run(key) { try await refusal.value() } }
            try await eventually("the work is under way") { flights.waiting == waitingBefore + 1 }
            let joiners = (0..<10).map { _ in Task { try await test.analyzer.analyze(source) } }
            try await eventually("all have joined it") { flights.waiting == waitingBefore + 11 }
            refusal.resume(throwing: Overload(reason: .hopeless, retryAfter: .zero))
            await #expect(throws: Overload.self) { try await leader.value }
            for joiner in joiners {
                let refusal = await #expect(throws: Overload.self) { try await joiner.value }
                #expect(refusal?.reason == .images)
            }
            #expect(test.metric("embedd_admission_refused_total{reason=\"queue_images\"}") == 10)
            // None of them has been to the line with work of its own.
            #expect(test.metric(runs) == 0)
            await test.end(holders)
        }
    }

    @Test func whoeverJoinedWorkThatIsRefusedDoesItWhereThereIsRoom() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let source = TestAnalyzer.cat(1)
        let flights = test.analyzer.flights
        let refusal = ResumeOnce<ImageAnalysis>()
        let key = Analyzer.FlightKey(analysis: key(of: source, in: test), priority: .interactive)
        let leader = Task { try await flights.run(key) { try await refusal.value() } }
        try await eventually("the work is under way") { flights.waiting == 1 }
        let joiners = (0..<10).map { _ in Task { try await test.analyzer.analyze(source) } }
        try await eventually("all have joined it") { flights.waiting == 11 }
        refusal.resume(throwing: Overload(reason: .hopeless, retryAfter: .zero))
        await #expect(throws: Overload.self) { try await leader.value }
        for joiner in joiners { #expect(try await joiner.value.embedding.count == 1280) }
    }

    @Test func aPictureThatBecameKnownSinceItWasLookedUpIsNotWorkedOnAgain() async throws {
        let test = try TestAnalyzer(decodeThreads: 1, cacheBytes: 1 << 20)
        let source = TestAnalyzer.cat(1)
        let first = try await test.analyzer.analyze(source)
        let file = try ImageFile(opening: source.bytes)
        let footprint = try test.analyzer.work.footprint(of: file)
        let key = key(of: source, in: test)
        let timers = try TimerQueue()
        try await test.withLaneHeldUp {
            // As after a lookup that found nothing yet. The limit is only there to turn a hang into a failure.
            let second = try await timers.withDeadline(.seconds(60)) {
                try await test.analyzer.fly(file, footprint, key, .interactive(), since: .now)
            }
            #expect(second.isCached)
            #expect(second.embedding == first.embedding)
            #expect(second.digest == first.digest)
        }
        #expect(test.metric("embedd_cache_requests_total{tier=\"memory\",result=\"hit\"}") == 1)
    }
}
