import Inference
import Scheduling
import Threads

/// Hashes files without keeping a thread of the cooperative pool from others for long.
final class ContentHasher: Sendable {
    /// Up to here a hash takes less than it costs to change threads: some 50 microseconds.
    private static let inlineBytes = 64 * 1024

    private let lane: Lane

    /// - Parameter threads: At least 1. One hashes more than a gigabyte a second on processors with SHA instructions.
    init(threads: Int) throws(ThreadStartError) {
        lane = try Lane(name: "hash", threads: threads)
    }

    /// - Throws: `CancellationError`, within a millisecond of the cancellation.
    func digest(of bytes: [UInt8]) async throws -> SHA256Digest {
        guard bytes.count > Self.inlineBytes else { return SHA256Digest(of: bytes) }
        return try await lane.run { cancellation in
            guard let digest = SHA256Digest(of: bytes, unless: { cancellation.isCancelled }) else {
                throw CancellationError()
            }
            return digest
        }
    }
}
