import Scheduling
import Synchronization
import Threads

/// Finished analyses in a database file that outlives a restart; bounded, the one that was not asked for for longest
/// goes first.
///
/// It never fails: what can't be read is not there, what can't be written is not kept. A file that is damaged, or that
/// this version didn't write, is deleted and made anew. Several processes may share one file.
///
/// SQLite blocks, so all of it happens on one thread of the cache's own. Lookups are awaited; writes are posted and
/// nobody waits for them. Of both only so many wait at a time: with a disk that stands still the service goes on as if
/// there were no cache.
public final class FileCache: Sendable {
    /// How many lookups may wait; the next find nothing.
    public static let mostWaitingReads = 1_024

    /// How many analyses may wait to be written; the next are not kept.
    public static let mostWaitingWrites = 256

    /// How long a file that can't be used is left alone.
    public static let retryInterval = Duration.seconds(30)

    private let lane: Lane
    private let core: FileCacheCore
    private let report: @Sendable (FileCacheEvent) -> Void
    private let waitingReads = Atomic(0)
    /// What waits to be written, in the order it came. A job on the lane takes all of it: one is posted by whoever finds
    /// nothing waiting, and it takes what is there under the lock, so nothing is left without a job that will come.
    private let waitingWrites = Locked<[FileCacheCore.Entry]>([])

    /// Starts the thread, which opens the file or makes one.
    ///
    /// - Parameters:
    ///   - path: The database file. SQLite puts files of the same name with `-wal` and `-shm` beside it.
    ///   - byteLimit: How large it may grow.
    ///   - report: Told what happens, on the cache's thread or the caller's. Must not block.
    /// - Throws: `ThreadStartError` if the system gives no thread.
    public convenience init(
        path: String, byteLimit: Int, report: @escaping @Sendable (FileCacheEvent) -> Void
    ) throws(ThreadStartError) {
        try self.init(path: path, byteLimit: byteLimit, retryInterval: Self.retryInterval, report: report)
    }

    /// With another interval, for tests.
    init(
        path: String, byteLimit: Int, retryInterval: Duration, report: @escaping @Sendable (FileCacheEvent) -> Void
    ) throws(ThreadStartError) {
        lane = try Lane(name: "file-cache", threads: 1)
        core = FileCacheCore(path: path, byteLimit: byteLimit, retryInterval: retryInterval, report: report)
        self.report = report
        lane.post { [core] in core.open() }
    }

    /// What the file takes, without what is free in it; 0 while it can't be used.
    public var byteCount: Int { core.byteCount.load(ordering: .relaxed) }

    /// How many analyses are in the file, as far as this process knows; 0 while it can't be used.
    public var entryCount: Int { core.entryCount.load(ordering: .relaxed) }

    /// Finds an analysis, which then counts as just used.
    ///
    /// - Returns: `nil` also if it can't be read, and if the task is cancelled: at once while the lookup waits for its
    ///   turn, and after it otherwise.
    nonisolated(nonsending) public func value(for key: AnalysisKey) async -> CachedAnalysis? {
        defer { waitingReads.wrappingSubtract(1, ordering: .relaxed) }
        guard waitingReads.wrappingAdd(1, ordering: .relaxed).newValue <= Self.mostWaitingReads else {
            report(.refused(.readBacklog))
            return nil
        }
        // What it throws is that the task was cancelled or the cache closed.
        return try? await lane.run { [core] _ in core.find(key) }
    }

    /// Keeps an analysis, some time later, together with others that wait then. Never waits.
    public func store(_ value: CachedAnalysis, for key: AnalysisKey) {
        let countBefore = waitingWrites.withLock { waiting in
            let count = waiting.count
            if count < Self.mostWaitingWrites {
                waiting.append(FileCacheCore.Entry(key: key, value: value))
            }
            return count
        }
        if countBefore == Self.mostWaitingWrites {
            report(.refused(.writeBacklog))
        } else if countBefore == 0 {
            lane.post { [self] in core.store(takeWaitingWrites()) }
        }
    }

    /// Writes what waits to be written and closes the file. From then on nothing is found or kept.
    nonisolated(nonsending) public func close() async {
        lane.post { [core] in core.close() }
        lane.shutDown()
        await lane.ended()
    }

    private func takeWaitingWrites() -> [FileCacheCore.Entry] {
        waitingWrites.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
