import Analysis
import TestSupport

extension TestAnalyzer {
    /// Brings as many pictures as are to have their turn, or may: they hold it while the lane is held up.
    func takeTurns(_ count: Int? = nil) async throws -> [Task<ImageAnalysis, any Error>] {
        let count = count ?? turns
        let tasks = (0..<count).map { number in Task { try await analyzer.analyze(Self.cat(number)) } }
        try await eventually("the turns are taken") { lane.queued == count }
        return tasks
    }

    func end(_ tasks: [Task<ImageAnalysis, any Error>]) async {
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }
}
