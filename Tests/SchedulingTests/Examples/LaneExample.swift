import Scheduling

/// A checksum over a large file, computed away from Swift's pool, which gives up soon after its task is cancelled.
struct Checksums {
    let lane: Lane

    init() throws {
        lane = try Lane(name: "checksum", threads: 2)
    }

    func checksum(of chunks: [[UInt8]]) async throws -> UInt64 {
        try await lane.run { cancellation in
            var sum: UInt64 = 0
            for chunk in chunks {
                if cancellation.isCancelled { throw CancellationError() }
                sum = chunk.reduce(sum) { $0 &* 31 &+ UInt64($1) }
            }
            return sum
        }
    }

    func finish() async {
        lane.shutDown()
        await lane.ended()
    }
}
