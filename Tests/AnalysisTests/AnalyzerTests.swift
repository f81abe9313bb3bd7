import Analysis
import Imaging
import Scheduling
import TestSupport
import Testing

@Suite struct AnalyzerTests {
    private struct UploadBroke: Error {}

    /// Sources that are all there, and then perhaps an error.
    private func sources(_ sources: [ImageSource], then error: (any Error)? = nil) -> AsyncThrowingStream<
        ImageItem, any Error
    > {
        AsyncThrowingStream { continuation in
            sources.forEach { continuation.yield(.image($0)) }
            continuation.finish(throwing: error)
        }
    }

    /// Vectors of the two differ by more than those of two precisions.
    @Test func decodingIsPartOfTheFingerprint() throws {
        let fast = try TestAnalyzer(AnalyzerConfiguration(mode: .fast)).analyzer.fingerprint
        let exact = try TestAnalyzer(AnalyzerConfiguration(mode: .exact)).analyzer.fingerprint
        #expect(fast != exact)
    }

    @Test func aPictureIsAnalysedAndCounted() async throws {
        let test = try TestAnalyzer()
        let analysis = try await test.analyzer.analyze(ImageSource(bytes: TestAnalyzer.cat))
        #expect(analysis.embedding.count == 1280)
        #expect(analysis.header == ImageHeader(format: .jpeg, width: 451, height: 300))
        #expect(analysis.stages.decode > .zero)
        #expect(analysis.stages.preprocess > .zero)
        #expect(analysis.stages.infer > .zero)
        #expect(test.metric("embedd_images_total{format=\"jpeg\",outcome=\"ok\"}") == 1)
        #expect(test.metric("embedd_image_bytes_total") == Double(TestAnalyzer.cat.count))
        #expect(test.metric("embedd_stage_duration_seconds_count{stage=\"infer\"}") == 1)
        #expect(test.metric("embedd_images_in_flight") == 0)
    }

    @Test func aGroupIsAnsweredInOrderAndAFailureIsOneImagesOwn() async throws {
        let test = try TestAnalyzer()
        let cat = TestAnalyzer.cat
        let outcomes = try await test.analyzer.analyze(
            group: sources([
                ImageSource(id: "a", bytes: cat), ImageSource(id: "b", bytes: Array("text".utf8)),
                ImageSource(id: "c", bytes: Array(cat.prefix(10_000))), ImageSource(id: nil, bytes: cat),
            ]))
        #expect(outcomes.map(\.id) == ["a", "b", "c", nil])
        let vectors = outcomes.map { try? $0.result.get().embedding }
        #expect(vectors[0] != nil)
        #expect(vectors[0] == vectors[3])
        #expect(throws: ImagingError.self) { try outcomes[1].result.get() }
        #expect(throws: ImagingError.self) { try outcomes[2].result.get() }
        #expect(test.metric("embedd_images_total{format=\"jpeg\",outcome=\"ok\"}") == 2)
        #expect(test.metric("embedd_images_total{format=\"other\",outcome=\"unsupported\"}") == 1)
        #expect(test.metric("embedd_images_total{format=\"jpeg\",outcome=\"broken\"}") == 1)
    }

    @Test func whatIsNoPictureIsToldWithoutWaitingForATurn() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        try await test.withLaneHeldUp {
            await #expect(throws: ImagingError.self) {
                try await test.analyzer.analyze(ImageSource(bytes: Array("text".utf8)))
            }
        }
    }

    @Test func aGroupWithoutSourcesHasNoOutcomes() async throws {
        #expect(try await TestAnalyzer().analyzer.analyze(group: sources([])).isEmpty)
    }

    @Test func aCancelledImageLeavesTheLineBeforeAThreadIsFree() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        try await test.withLaneHeldUp {
            let analyzer = test.analyzer
            let task = Task { try await analyzer.analyze(ImageSource(bytes: TestAnalyzer.cat)) }
            try await eventually("it waits for a thread") { test.lane.queued == 1 }
            #expect(test.metric("embedd_images_in_flight") == 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await eventually("nothing is left") { test.isIdle }
            #expect(test.metric("embedd_images_total{format=\"jpeg\",outcome=\"cancelled\"}") == 1)
        }
        // Nothing of it ran once the thread was free.
        #expect(test.metric("embedd_stage_duration_seconds_count{stage=\"decode\"}") == 0)
    }

    @Test func aCancelledGroupTakesAllOfItsImagesWithIt() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        try await test.withLaneHeldUp {
            let analyzer = test.analyzer
            let group = sources((1...5).map(TestAnalyzer.cat))
            let task = Task { try await analyzer.analyze(group: group) }
            // Three have their turn and wait for the thread; the other two of this group don't even stand in the line.
            try await eventually("three wait for a thread") { test.lane.queued == 3 }
            #expect(test.analyzer.load.waitingImages == 0)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await eventually("nothing is left") { test.isIdle }
            // Children are cancelled one after the other: one that isn't yet may take the place of one that already is.
            let cancelled = test.metric("embedd_images_total{format=\"jpeg\",outcome=\"cancelled\"}")
            #expect((3...5).contains(cancelled ?? 0))
        }
        #expect(test.metric("embedd_images_total{format=\"jpeg\",outcome=\"ok\"}") == 0)
        // Nothing of it ran once the thread was free.
        #expect(test.metric("embedd_stage_duration_seconds_count{stage=\"decode\"}") == 0)
    }

    @Test func aLargeGroupDoesNotKeepOthersWaitingBehindAllOfIt() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        try await test.withLaneHeldUp {
            let analyzer = test.analyzer
            let group = sources((1...50).map(TestAnalyzer.cat))
            let groupTask = Task { try await analyzer.analyze(group: group) }
            try await eventually("three wait for a thread") { test.lane.queued == 3 }
            let single = Task { try await analyzer.analyze(ImageSource(bytes: TestAnalyzer.cat)) }
            // It is the next in the line, whatever the group still has to come.
            try await eventually("it is in the line") { analyzer.load.waitingImages == 1 }
            groupTask.cancel()
            single.cancel()
            _ = await groupTask.result
            _ = await single.result
        }
    }

    @Test func anUploadThatBreaksOffCancelsTheImagesThatHadArrived() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        try await test.withLaneHeldUp {
            let broken = sources((1...3).map(TestAnalyzer.cat), then: UploadBroke())
            await #expect(throws: UploadBroke.self) { try await test.analyzer.analyze(group: broken) }
            try await eventually("nothing is left") { test.isIdle }
        }
    }
}
