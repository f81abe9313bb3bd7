import Scheduling
import Testing

@Test func smoke() async throws {
    let semaphore = CancellableSemaphore(permits: 2)
    let lane = try Lane(name: "smoke", threads: 2)
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
        for i in 0..<1000 {
            group.addTask {
                try await semaphore.withPermits { try await lane.run { _ in i } }
            }
        }
        return try await group.reduce(0, +)
    }
    #expect(sum == 499_500)
    #expect(semaphore.available == 2)
    lane.shutDown()
    await lane.ended()
    await #expect(throws: LaneError.shutDown(lane: "smoke")) { try await lane.run { _ in } }
}
