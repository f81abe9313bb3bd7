/// A condition that never came true.
public struct NeverHappened: Error {
    let what: String
}

/// Yields until the condition holds. The limit is only there to turn a hang into a failure.
public func eventually(
    _ what: String, within limit: Duration = .seconds(120), _ condition: () throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened(what: what) }
        await Task.yield()
    }
}
