import Scheduling

/// Asks a server, but not for longer than the limit, however starved Swift's pool may be.
func currentPrice(
    within limit: Duration, timers: TimerQueue, ask: @escaping @Sendable () async throws -> Int
) async throws -> Int? {
    do {
        return try await timers.withDeadline(limit) { try await ask() }
    } catch is DeadlineExceeded {
        return nil
    }
}
