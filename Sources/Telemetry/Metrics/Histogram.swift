import Synchronization

/// How often a measured value fell into which bucket, and the sum of all values.
///
/// Observing takes one atomic increment and one compare-and-exchange, from any thread, without a lock or an
/// allocation. A scrape in the middle of an observation may see its bucket and not yet its sum; `_count` always equals
/// the `+Inf` bucket, since both are the sum of the buckets as read.
public final class Histogram: Sendable {
    /// A bucket's observations. A class, because an atomic can't be moved and so can't live in an array.
    private final class Tally: Sendable {
        let count = Atomic<UInt64>(0)
    }

    private let buckets: HistogramBuckets
    /// One for each bound and a last one for everything above; not cumulative.
    private let tallies: [Tally]
    private let total = AtomicDouble()

    init(buckets: HistogramBuckets) {
        self.buckets = buckets
        tallies = (0...buckets.bounds.count).map { _ in Tally() }
    }

    /// The number of observations.
    public var count: UInt64 {
        tallies.reduce(0) { $0 + $1.count.load(ordering: .acquiring) }
    }

    /// The sum of all observed values.
    public var sum: Double {
        total.value
    }

    /// Counts `value` in the first bucket whose bound is not below it. Not-a-number is ignored: it belongs to no
    /// bucket and would spoil the sum for ever.
    public func observe(_ value: Double) {
        guard !value.isNaN else { return }
        let position = buckets.bounds.firstIndex { value <= $0 } ?? buckets.bounds.count
        tallies[position].count.add(1, ordering: .releasing)
        total.add(value)
    }

    /// Counts a duration, in seconds.
    public func observe(_ duration: Duration) {
        observe(duration / .seconds(1))
    }

    /// Every bucket's inclusive upper bound, infinity last.
    var bounds: [Double] {
        buckets.bounds + [.infinity]
    }

    /// For each bound, the number of observations at or below it.
    func cumulativeCounts() -> [UInt64] {
        var running: UInt64 = 0
        return tallies.map { tally in
            running += tally.count.load(ordering: .acquiring)
            return running
        }
    }
}
