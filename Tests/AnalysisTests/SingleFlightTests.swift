import Analysis
import TestSupport
import Testing

@Suite struct SingleFlightTests {
    @Test func identicalPicturesAtTheSameTimeAreWorkedOnOnce() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let tasks = try await test.withLaneHeldUp {
            let tasks = (0..<10).map { _ in Task { try await test.analyzer.analyze(TestAnalyzer.cat(1)) } }
            try await eventually("all are there") {
                test.metric("embedd_images_in_flight") == 10 && test.lane.queued == 1
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
}
