import Scheduling

/// Awaits a library that calls back from a thread of its own: perhaps twice, perhaps before `start` returns, perhaps
/// never.
func answer(
    within limit: Duration, timers: TimerQueue, start: (_ callback: @escaping @Sendable (Int) -> Void) -> Void
) async throws -> Int {
    let answer = ResumeOnce<Int>()
    let deadline = ContinuousClock.now + limit
    let timer = timers.schedule(at: deadline) {
        answer.resume(throwing: DeadlineExceeded(deadline: deadline))
    }
    defer { timers.cancel(timer) }
    start { answer.resume(returning: $0) }
    return try await withTaskCancellationHandler {
        try await answer.value()
    } onCancel: {
        answer.resume(throwing: CancellationError())
    }
}
