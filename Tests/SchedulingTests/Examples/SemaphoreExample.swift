import Scheduling

/// Downloads in any number of tasks, of which at most four run, and together buffer at most 64 MiB.
struct BoundedDownloads {
    let connections = CancellableSemaphore(permits: 4)
    let memory = CancellableSemaphore(permits: 64 << 20)

    func download(
        byteCount: Int, isPrefetch: Bool, fetch: @Sendable () async throws -> [UInt8]
    ) async throws -> [UInt8] {
        let priority: WaitPriority = isPrefetch ? .batch : .interactive
        return try await connections.withPermits(priority: priority) {
            try await memory.withPermits(byteCount, priority: priority) {
                try await fetch()
            }
        }
    }
}
