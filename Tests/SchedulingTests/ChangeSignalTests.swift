import Scheduling
import TestSupport
import Testing
import Threads

@Suite struct ChangeSignalTests {
    @Test func aChangeBeforeTheWaitIsNotMissed() async throws {
        let signal = ChangeSignal()
        let seen = signal.version
        signal.advance()
        try await signal.changed(since: seen)
    }

    @Test func aChangeWakesAllWhoWait() async throws {
        let signal = ChangeSignal()
        let value = Locked(0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    while true {
                        let seen = signal.version
                        if value.withLock({ $0 }) == 1 { return }
                        try await signal.changed(since: seen)
                    }
                }
            }
            await Task.yield()
            value.withLock { $0 = 1 }
            signal.advance()
            try await group.waitForAll()
        }
    }

    @Test func aCancelledWaiterLeavesAtOnce() async throws {
        let signal = ChangeSignal()
        let task = Task { try await signal.changed(since: signal.version) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        signal.advance()
    }

    @Test func nobodyHangsWhereChangesAndWaitsRace() async throws {
        let signal = ChangeSignal()
        let sum = Locked(0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<2_000 {
                        sum.withLock { $0 += 1 }
                        signal.advance()
                        await Task.yield()
                    }
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    while true {
                        let seen = signal.version
                        if sum.withLock({ $0 }) == 8_000 { return }
                        try await signal.changed(since: seen)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
