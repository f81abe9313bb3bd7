import Scheduling
import Testing

@Suite struct CancellationFlagTests {
    @Test func staysCancelled() {
        let flag = CancellationFlag()
        #expect(!flag.isCancelled)
        flag.cancel()
        #expect(flag.isCancelled)
        flag.cancel()
        #expect(flag.isCancelled)
    }

    @Test func isSeenByARunningThread() async throws {
        let lane = try Lane(name: "flag", threads: 1)
        let flag = CancellationFlag()
        async let seen: Bool = lane.run { _ in
            while !flag.isCancelled {}
            return true
        }
        flag.cancel()
        #expect(try await seen)
    }
}
