import Scheduling
import Telemetry
import TestSupport

@testable import Analysis

/// A line with turns that a test holds itself.
struct TestAdmission {
    let admission: Admission
    let timers: TimerQueue
    let registry = MetricsRegistry()

    init(turns: Int = 1, _ limits: AdmissionLimits = .patient()) throws {
        timers = try TimerQueue()
        admission = Admission(
            turns: turns, limits: limits, timers: timers, metrics: AnalysisMetrics(registry: registry))
    }

    /// Runs `body` while a turn is held.
    func withTurnHeld<R>(_ urgency: Urgency = .interactive(), _ body: () async throws -> R) async throws -> R {
        let begun = ResumeOnce<Void>()
        let over = ResumeOnce<Void>()
        let holder = Task {
            try await admission.withTurn(for: 1, urgency) {
                begun.resume()
                try await over.value()
            }
        }
        try await begun.value()
        let result: Result<R, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        over.resume()
        try await holder.value
        return try result.get()
    }

    /// Brings an image, which has to wait.
    func wait(_ urgency: Urgency = .interactive()) async throws -> Task<Void, any Error> {
        let countBefore = admission.waitingImages
        let task = Task { try await admission.withTurn(for: 1, urgency) {} }
        try await eventually("it waits") { admission.waitingImages == countBefore + 1 }
        return task
    }
}
