/// A cause, and how well the evidence fits it.
public struct Verdict: Sendable, Equatable {
    /// Why the pool stands still.
    public let cause: StallCause
    /// 0 to 1: the share of the evidence that agrees.
    public let confidence: Double

    private static let provisionalConfidence = 0.5

    /// Whether more evidence may give a better one.
    var isProvisional: Bool { cause == .unknown || confidence <= Self.provisionalConfidence }

    init(_ cause: StallCause, confidence: Double) {
        self.cause = cause
        self.confidence = min(1, max(0, confidence))
    }
}
