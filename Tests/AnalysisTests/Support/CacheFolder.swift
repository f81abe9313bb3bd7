import Analysis
import Foundation
import Threads

/// A folder for one test's cache file, deleted with the last reference; and what that cache reports.
final class CacheFolder: Sendable {
    let url: URL
    private let log = Locked<[FileCacheEvent]>([])

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "embedd-cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var path: String { url.appending(path: "cache.db").path }

    var events: [FileCacheEvent] { log.withLock { $0 } }

    /// The events without those that say nothing of the file.
    var droppedFiles: [FileCacheEvent.FileFault] {
        events.compactMap { event in
            if case .droppedFile(let fault, _) = event { fault } else { nil }
        }
    }

    /// Of the database, without its log.
    var fileByteCount: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.size] as? Int ?? 0
    }

    func report(_ event: FileCacheEvent) {
        log.withLock { $0.append(event) }
    }
}
