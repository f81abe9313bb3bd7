/// The upper bounds of a histogram's buckets, each inclusive, ascending. The last bucket, `+Inf`, is implied.
public struct HistogramBuckets: Sendable, ExpressibleByArrayLiteral {
    /// The finite upper bounds, strictly ascending.
    public let bounds: [Double]

    /// Bounds that are empty, not finite or not strictly ascending are a programming error and trap.
    public init(_ bounds: [Double]) {
        precondition(!bounds.isEmpty, "a histogram needs a bucket")
        precondition(bounds.allSatisfy(\.isFinite), "bucket bounds are finite; +Inf is implied")
        precondition(
            zip(bounds, bounds.dropFirst()).allSatisfy(<), "bucket bounds ascend strictly: \(bounds)")
        self.bounds = bounds
    }

    /// The same as `init(_:)`.
    public init(arrayLiteral bounds: Double...) {
        self.init(bounds)
    }

    /// From a millisecond to half a minute: for whole requests and their stages, in seconds.
    public static let latencySeconds: HistogramBuckets = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
}
