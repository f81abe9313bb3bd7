/// A condition that never came true.
package struct NeverHappened: Error {
    let what: String
}

/// Waits until the condition holds. The limit is only there to turn a hang into a failure.
package func eventually(
    _ what: String, within limit: Duration = .seconds(120), _ condition: () throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    var wait = PatientWait()
    while try !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened(what: what) }
        await wait.pause()
    }
}

/// Lets others run between two looks at a condition: at first at once, so that what comes soon is seen soon, then with
/// pauses, since several tests that only look would take the processors from what they wait for.
package struct PatientWait {
    private var pauses = 0

    package init() {}

    /// Doesn't fail; in a cancelled task it only yields.
    package mutating func pause() async {
        pauses += 1
        guard pauses > 100 else { return await Task.yield() }
        do { try await Task.sleep(for: .milliseconds(1)) } catch { await Task.yield() }
    }
}
