import Scheduling

@testable import Analysis

extension TestAnalyzer {
    /// A store of jobs that are worked off here.
    func jobStore(_ limits: JobLimits = JobLimits()) throws -> JobStore {
        JobStore(limits, analyzer: analyzer, timers: try TimerQueue(), registry: registry)
    }
}

extension JobStore {
    /// Sends the pictures of these numbers, and that there are no more.
    func fill(_ job: Job, with numbers: Range<Int>) async throws {
        for number in numbers { try await receive(.image(TestAnalyzer.cat(number)), for: job) }
        try job.endReceiving()
    }
}

extension Job {
    /// All of its results, once it has ended.
    func allResults() async throws -> [JobResult] {
        var all: [JobResult] = []
        while let some = try await results(after: all.count) { all += some }
        return all
    }
}
