import Analysis
import Imaging
import TestSupport
import Testing

@Suite struct MemoryBudgetTests {
    @Test func aPictureThatCanNeverHaveItsMemoryIsRefusedAtItsHeader() async throws {
        let test = try TestAnalyzer(decodeThreads: 1, AnalyzerConfiguration(memoryBudgetBytes: 1000))
        try await test.withLaneHeldUp {
            let refusal = await #expect(throws: MemoryExceeded.self) {
                try await test.analyzer.analyze(TestAnalyzer.cat(1))
            }
            #expect(refusal?.budgetBytes == 1000)
            #expect((refusal?.neededBytes ?? 0) > 1000)
        }
        #expect(test.metric("embedd_images_total{format=\"jpeg\",outcome=\"too_large\"}") == 1)
    }

    @Test func noMoreIsDecodedAtATimeThanThereIsMemoryFor() async throws {
        let footprint = try ImageFile(opening: TestAnalyzer.cat).decodeFootprintBytes(for: TestAnalyzer.preparation)
        // Room for one and a half.
        let test = try TestAnalyzer(
            decodeThreads: 2, AnalyzerConfiguration(admission: .patient(), memoryBudgetBytes: footprint + footprint / 2)
        )
        let tasks = try await test.withLaneHeldUp {
            let tasks = (1...4).map { number in Task { try await test.analyzer.analyze(TestAnalyzer.cat(number)) } }
            // Three have their turn, one of them its memory.
            try await eventually("one waits for a thread") { test.lane.queued == 1 }
            try await eventually("one waits for its turn") { test.analyzer.load.waitingImages == 4 - test.turns }
            #expect(test.lane.queued == 1)
            #expect(test.analyzer.load.memoryBytes == footprint)
            return tasks
        }
        for task in tasks { _ = try await task.value }
        #expect(test.isIdle)
    }
}
