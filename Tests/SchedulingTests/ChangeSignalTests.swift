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
            try await eventually("all wait") { signal.waiting == 50 }
            value.withLock { $0 = 1 }
            signal.advance()
            try await group.waitForAll()
        }
    }

    @Test func aCancelledWaiterLeavesAtOnce() async throws {
        let signal = ChangeSignal()
        let task = Task { try await signal.changed(since: signal.version) }
        try await eventually("it waits") { signal.waiting == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(signal.waiting == 0)
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
