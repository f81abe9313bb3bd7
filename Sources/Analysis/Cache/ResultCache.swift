import Threads

/// Finished analyses in memory, bounded by bytes; the one that was not asked for for longest goes first.
public final class ResultCache: Sendable {
    /// What an entry takes besides its vector: the keys' and the vector's allocations, its node and its share of the
    /// dictionary. Measured; rounded up.
    static let entryOverheadBytes = 512

    /// What it may take in all.
    public let byteLimit: Int

    /// Guards the entries. Only the list's O(1) operations happen while it is held; what goes is freed after it.
    private let entries: Locked<LeastRecentlyUsed<AnalysisKey, CachedAnalysis>>

    /// An empty cache.
    ///
    /// - Parameter byteLimit: What the entries may take, overhead included; 0 keeps none.
    public init(byteLimit: Int) {
        precondition(byteLimit >= 0, "a limit of bytes is at least 0")
        self.byteLimit = byteLimit
        entries = Locked(LeastRecentlyUsed(costLimit: byteLimit))
    }

    /// What the entries take, overhead included.
    public var byteCount: Int { entries.withLock { $0.cost } }

    /// How many analyses there are.
    public var entryCount: Int { entries.withLock { $0.count } }

    /// Finds an analysis, which then counts as just used.
    public func value(for key: AnalysisKey) -> CachedAnalysis? {
        entries.withLock { $0.value(for: key) }
    }

    /// Keeps an analysis, for which others may have to go. One that is larger than the limit is not kept.
    ///
    /// - Returns: How many had to go.
    @discardableResult
    public func store(_ value: CachedAnalysis, for key: AnalysisKey) -> Int {
        let cost = Self.byteCost(of: value)
        let evicted = entries.withLock { $0.insert(value, for: key, cost: cost) }
        return evicted.count
    }

    static func byteCost(of value: CachedAnalysis) -> Int {
        value.embedding.count * MemoryLayout<Float>.stride + entryOverheadBytes
    }
}
