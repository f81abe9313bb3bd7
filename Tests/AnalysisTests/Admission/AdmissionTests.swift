import Analysis
import Scheduling
import TestSupport
import Testing

@Suite struct AdmissionTests {
    private func test(_ admission: AdmissionLimits) throws -> TestAnalyzer {
        try TestAnalyzer(decodeThreads: 1, AnalyzerConfiguration(admission: admission))
    }

    /// As many pictures as have their turn at once: they hold it while the lane is held up.
    private func takeAllTurns(_ test: TestAnalyzer) async throws -> [Task<ImageAnalysis, any Error>] {
        let tasks = (0..<test.turns).map { number in
            Task { try await test.analyzer.analyze(TestAnalyzer.cat(number)) }
        }
        try await eventually("all turns are taken") { test.lane.queued == test.turns }
        return tasks
    }

    private func end(_ tasks: [Task<ImageAnalysis, any Error>]) async {
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    @Test func beyondTheLinesLengthAnImageIsRefusedAtOnce() async throws {
        let test = try test(AdmissionLimits(images: 2))
        try await test.withLaneHeldUp {
            var tasks = try await takeAllTurns(test)
            tasks += (100..<102).map { number in Task { try await test.analyzer.analyze(TestAnalyzer.cat(number)) } }
            try await eventually("the line is full") { test.analyzer.load.waitingImages == 2 }
            let refusal = await #expect(throws: Overload.self) {
                try await test.analyzer.analyze(TestAnalyzer.cat(200))
            }
            #expect(refusal?.reason == .images)
            #expect(test.metric("embedd_admission_refused_total{reason=\"queue_images\"}") == 1)
            #expect(test.metric("embedd_images_total{format=\"jpeg\",outcome=\"overload\"}") == 1)
            await end(tasks)
        }
        try await eventually("nothing is left") { test.isIdle }
    }

    @Test func batchImagesWaitInsteadOfBeingRefused() async throws {
        let test = try test(AdmissionLimits(images: 1))
        let tasks = try await test.withLaneHeldUp {
            let tasks = try await takeAllTurns(test)
            let more = (100..<105).map { number in
                Task { try await test.analyzer.analyze(TestAnalyzer.cat(number), .batch) }
            }
            try await eventually("all wait") { test.analyzer.load.waitingImages == 5 }
            return tasks + more
        }
        for task in tasks { _ = try await task.value }
        #expect(test.isIdle)
    }

    @Test func interactiveImagesAreLetInWhileBatchImagesWait() async throws {
        let test = try test(AdmissionLimits(images: 1))
        let (tasks, interactive) = try await test.withLaneHeldUp {
            let tasks = try await takeAllTurns(test)
            let batch = (100..<110).map { number in
                Task { try await test.analyzer.analyze(TestAnalyzer.cat(number), .batch) }
            }
            try await eventually("all wait") { test.analyzer.load.waitingImages == 10 }
            let interactive = Task { try await test.analyzer.analyze(TestAnalyzer.cat(200)) }
            try await eventually("it waits, too") { test.analyzer.load.waitingImages == 11 }
            return (tasks + batch, interactive)
        }
        #expect(try await interactive.value.embedding.count == 1280)
        for task in tasks { _ = try await task.value }
    }

    @Test func anImageThatWaitsTooLongIsRefused() async throws {
        let test = try test(AdmissionLimits(timeout: .milliseconds(30)))
        try await test.withLaneHeldUp {
            let tasks = try await takeAllTurns(test)
            let refusal = await #expect(throws: Overload.self) {
                try await test.analyzer.analyze(TestAnalyzer.cat(200))
            }
            #expect(refusal?.reason == .timeout)
            #expect(test.analyzer.load.waitingImages == 0)
            await end(tasks)
        }
    }

    @Test func aGroupIsRefusedAsAWholeOrNotAtAll() async throws {
        let test = try test(AdmissionLimits(images: 1))
        let sources = AsyncStream<ImageItem> { continuation in
            for number in 300..<310 { continuation.yield(.image(TestAnalyzer.cat(number))) }
            continuation.finish()
        }
        // Ten images of a group that was let in fit through a line of one.
        #expect(try await test.analyzer.analyze(group: sources).allSatisfy { (try? $0.result.get()) != nil })
        try await test.withLaneHeldUp {
            var tasks = try await takeAllTurns(test)
            tasks.append(Task { try await test.analyzer.analyze(TestAnalyzer.cat(100)) })
            try await eventually("the line is full") { test.analyzer.load.waitingImages == 1 }
            // What is no picture has not been let in anywhere, so the picture behind it may be refused.
            let group = AsyncStream<ImageItem> { continuation in
                continuation.yield(.image(ImageSource(bytes: Array("text".utf8))))
                continuation.yield(.image(TestAnalyzer.cat(400)))
                continuation.finish()
            }
            await #expect(throws: Overload.self) { try await test.analyzer.analyze(group: group) }
            await end(tasks)
        }
    }
}
