import Scheduling
import Telemetry
import Threads

/// Finished analyses: those used lately in memory, and behind them, if configured, a file that outlives a restart.
public final class AnalysisCache: Sendable {
    private let memory: ResultCache
    private let file: FileCache?
    private let metrics: CacheMetrics

    /// Registers the metrics, `embedd_cache_…`, once per registry, and starts the file's thread if there is a file.
    ///
    /// - Parameter timers: Where the time is measured that a lookup in the file may take.
    /// - Throws: `ThreadStartError` if the system gives no thread. A file that can't be used is no error: it is logged,
    ///   once, and the service goes on without.
    public init(
        _ configuration: CacheConfiguration, timers: TimerQueue, registry: MetricsRegistry, logger: Logger
    ) throws(ThreadStartError) {
        let metrics = CacheMetrics(registry: registry)
        self.metrics = metrics
        memory = ResultCache(byteLimit: configuration.memoryByteLimit)
        if let path = configuration.path {
            file = try FileCache(
                path: path, byteLimit: configuration.fileByteLimit, timers: timers,
                lookupLimit: configuration.fileLookupLimit
            ) { event in
                metrics.count(event)
                logger.log(event, path: path)
            }
        } else {
            file = nil
        }
        CacheMetrics.registerSizes(in: registry, memory: memory, file: file)
    }

    /// Finds an analysis in memory or in the file; what comes from the file is kept in memory from then on.
    ///
    /// - Returns: `nil` also if the file can't be read or takes too long (``FileCache/lookupLimit``), and if the task
    ///   is cancelled; the caller meets its cancellation at its next check.
    nonisolated(nonsending) public func value(for key: AnalysisKey) async -> CachedAnalysis? {
        if memory.byteLimit > 0 {
            let value = memory.value(for: key)
            metrics.lookedUp(.memory, found: value != nil)
            if let value { return value }
        }
        guard let file else { return nil }
        let value = await file.value(for: key)
        // What a cancelled lookup didn't find says nothing about the cache.
        guard value != nil || !Task.isCancelled else { return nil }
        metrics.lookedUp(.file, found: value != nil)
        if let value {
            storeInMemory(value, for: key)
        }
        return value
    }

    /// Looks again into memory alone, without waiting, for somebody who has found nothing a moment ago. Counted only if
    /// it is there now.
    func valueInMemory(for key: AnalysisKey) -> CachedAnalysis? {
        guard let value = memory.value(for: key) else { return nil }
        metrics.lookedUp(.memory, found: true)
        return value
    }

    /// Keeps an analysis. Never waits: the file is written some time later.
    public func store(_ value: CachedAnalysis, for key: AnalysisKey) {
        storeInMemory(value, for: key)
        file?.store(value, for: key)
    }

    /// Writes to the file what waits to be written, and closes it; waits no longer than ``FileCache/closeLimit``.
    nonisolated(nonsending) public func close() async {
        await file?.close()
    }

    private func storeInMemory(_ value: CachedAnalysis, for key: AnalysisKey) {
        metrics.evicted(memory.store(value, for: key), from: .memory)
    }
}
