import Scheduling
import Synchronization
import Threads

/// Finished analyses in a database file that outlives a restart; bounded, the one that was not asked for for longest
/// goes first.
///
/// It never fails: what can't be read is not there, what can't be written is not kept. A file that is damaged, or that
/// this version didn't write, is deleted and made anew. Several processes may share one file.
///
/// SQLite blocks, so all of it happens on one thread of the cache's own. A lookup is awaited for ``lookupLimit``,
/// writes are posted and nobody waits for them, and of both only so many wait at a time. So a disk that stands still
/// costs the first few dozen lookups that limit, and from then on the service goes on as if there were no cache.
public final class FileCache: Sendable {
    /// How long a lookup is awaited; then it finds nothing. Hundreds of times what it takes where the disk is well, and
    /// no more than the work that it saves takes on a slow machine.
    public static let lookupLimit = Duration.milliseconds(50)

    /// How many lookups may wait or be under way, those that nobody awaits any more included; the next find nothing.
    public static let mostWaitingReads = 64

    /// How long ``close()`` waits for the disk.
    public static let closeLimit = Duration.seconds(2)

    /// How many analyses may wait to be written; the next are not kept.
    public static let mostWaitingWrites = 256

    /// How long a file that can't be used is left alone.
    public static let retryInterval = Duration.seconds(30)

    /// Internal for the tests, which hold it up.
    let lane: Lane
    private let timers: TimerQueue
    private let lookupLimit: Duration
    private let closeLimit: Duration
    private let core: FileCacheCore
    private let report: @Sendable (FileCacheEvent) -> Void
    /// Counted from before a lookup is posted until the thread is done with it.
    private let waitingReads = Atomic(0)
    /// What waits to be written, in the order it came. A job on the lane takes all of it: one is posted by whoever
    /// finds nothing waiting, and it takes what is there under the lock, so nothing is left without a job that will
    /// come.
    private let waitingWrites = Locked<[FileCacheCore.Entry]>([])

    /// Starts the thread, which opens the file or makes one.
    ///
    /// - Parameters:
    ///   - path: The database file. SQLite puts files of the same name with `-wal` and `-shm` beside it.
    ///   - byteLimit: How large it may grow.
    ///   - timers: Where the limits are measured.
    ///   - report: Told what happens, on the cache's thread, the caller's or that of the timers. Must not block.
    /// - Throws: `ThreadStartError` if the system gives no thread.
    public convenience init(
        path: String, byteLimit: Int, timers: TimerQueue, report: @escaping @Sendable (FileCacheEvent) -> Void
    ) throws(ThreadStartError) {
        try self.init(path: path, byteLimit: byteLimit, timers: timers, lookupLimit: Self.lookupLimit, report: report)
    }

    /// With other times, for tests.
    init(
        path: String, byteLimit: Int, timers: TimerQueue, lookupLimit: Duration,
        closeLimit: Duration = FileCache.closeLimit, retryInterval: Duration = FileCache.retryInterval,
        report: @escaping @Sendable (FileCacheEvent) -> Void
    ) throws(ThreadStartError) {
        lane = try Lane(name: "file-cache", threads: 1)
        self.timers = timers
        self.lookupLimit = lookupLimit
        self.closeLimit = closeLimit
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
    /// - Returns: `nil` also if it can't be read, if that takes longer than ``lookupLimit``, and at once if the task is
    ///   cancelled.
    nonisolated(nonsending) public func value(for key: AnalysisKey) async -> CachedAnalysis? {
        guard !Task.isCancelled else { return nil }
        let found = ResumeOnce<CachedAnalysis?>()
        if let refusal = postLookup(of: key, to: found) {
            report(.refused(refusal))
            return nil
        }
        let limit = timers.schedule(at: .now + lookupLimit) { [report] in
            if found.resume(returning: nil) { report(.refused(.readTimeout)) }
        }
        defer { timers.cancel(limit) }
        return await withTaskCancellationHandler {
            // Nobody delivers an error.
            (try? await found.value()) ?? nil
        } onCancel: {
            found.resume(returning: nil)
        }
    }

    /// - Returns: why it was not posted, if it wasn't.
    private func postLookup(
        of key: AnalysisKey, to found: ResumeOnce<CachedAnalysis?>
    ) -> FileCacheEvent.Refusal? {
        guard waitingReads.wrappingAdd(1, ordering: .relaxed).newValue <= Self.mostWaitingReads else {
            waitingReads.wrappingSubtract(1, ordering: .relaxed)
            return .readBacklog
        }
        let isPosted = lane.post { [self] in
            // If nobody awaits it any more, the thread has others to serve.
            let value = found.isResumed ? nil : core.find(key)
            waitingReads.wrappingSubtract(1, ordering: .relaxed)
            found.resume(returning: value)
        }
        guard isPosted else {
            waitingReads.wrappingSubtract(1, ordering: .relaxed)
            return .unavailable
        }
        return nil
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
    ///
    /// Waits no longer than ``closeLimit``: what a disk that stands still has not written by then is not kept.
    nonisolated(nonsending) public func close() async {
        let closed = ResumeOnce<Void>()
        let isPosted = lane.post { [core] in
            core.close()
            closed.resume()
        }
        lane.shutDown()
        guard isPosted else { return }
        let limit = timers.schedule(at: .now + closeLimit) { [report] in
            if closed.resume() { report(.unavailable(reason: "the disk didn't let it be closed in time")) }
        }
        defer { timers.cancel(limit) }
        // Nobody delivers an error.
        try? await closed.value()
    }

    private func takeWaitingWrites() -> [FileCacheCore.Entry] {
        waitingWrites.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
