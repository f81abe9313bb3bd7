import Telemetry

/// What `/metrics` tells about the caches of finished analyses.
struct CacheMetrics: Sendable {
    private static let hit = "hit"
    private static let miss = "miss"
    private static let droppedRow = "damaged_row"

    private let requests: CounterFamily
    private let evictions: CounterFamily
    private let dropped: CounterFamily

    /// Registers the counters, each series at zero.
    init(registry: MetricsRegistry) {
        let tier = Label("tier", values: CacheTier.allCases.map(\.rawValue), fallback: nil)
        requests = registry.counterFamily(
            "embedd_cache_requests_total", help: "Lookups of finished analyses, by where and whether it was there.",
            labels: tier, Label("result", values: [Self.hit, Self.miss], fallback: nil))
        evictions = registry.counterFamily(
            "embedd_cache_evictions_total", help: "Analyses that had to go to make room for others.", labels: tier)
        dropped = registry.counterFamily(
            "embedd_cache_dropped_total",
            help: "What the file cache dropped as damaged, or neither looked up nor kept, by the reason.",
            labels: Label(
                "reason",
                values: FileCacheEvent.FileFault.allCases.map(\.rawValue) + [Self.droppedRow]
                    + FileCacheEvent.Refusal.allCases.map(\.rawValue), fallback: nil))
    }

    /// Registers what the caches hold; of a file that is not kept, 0.
    static func registerSizes(in registry: MetricsRegistry, memory: ResultCache, file: FileCache?) {
        let tier = Label("tier", values: CacheTier.allCases.map(\.rawValue), fallback: nil)
        registry.gaugeFamily("embedd_cache_bytes", help: "What the cached analyses take.", labels: tier) { labels in
            let isMemory = labels == [CacheTier.memory.rawValue]
            return Double(isMemory ? memory.byteCount : file?.byteCount ?? 0)
        }
        registry.gaugeFamily("embedd_cache_entries", help: "Cached analyses.", labels: tier) { labels in
            let isMemory = labels == [CacheTier.memory.rawValue]
            return Double(isMemory ? memory.entryCount : file?.entryCount ?? 0)
        }
    }

    func lookedUp(_ tier: CacheTier, found: Bool) {
        requests[tier.rawValue, found ? Self.hit : Self.miss].increment()
    }

    func evicted(_ count: Int, from tier: CacheTier) {
        evictions[tier.rawValue].increment(by: count)
    }

    /// Counts what of the event is to be counted.
    func count(_ event: FileCacheEvent) {
        switch event {
        case .droppedFile(let fault, _): dropped[fault.rawValue].increment()
        case .droppedRow: dropped[Self.droppedRow].increment()
        case .refused(let refusal): dropped[refusal.rawValue].increment()
        case .evicted(let count): evicted(count, from: .file)
        case .unavailable, .available: break
        }
    }
}
