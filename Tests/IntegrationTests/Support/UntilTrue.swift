import Testing

/// Asks until the answer is yes. For what another process does in its own time; a no that lasts fails the test.
func untilTrue(
    within limit: Duration = .seconds(120), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record("still not true after \(limit)", sourceLocation: sourceLocation)
            return
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}
