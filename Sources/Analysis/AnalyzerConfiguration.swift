import Imaging

/// How an ``Analyzer`` decodes, and what it takes on at a time.
public struct AnalyzerConfiguration: Sendable {
    /// How JPEG is decoded.
    public var mode: DecodeMode
    /// What is accepted.
    public var limits: DecodeLimits
    /// What may wait for its turn.
    public var admission: AdmissionLimits
    /// Most memory that pictures may take while they are decoded, in bytes, at least 1.
    public var memoryBudgetBytes: Int

    /// The fast decode, default limits, and 512 MiB for pictures that are being decoded.
    public init(
        mode: DecodeMode = .fast, limits: DecodeLimits = DecodeLimits(), admission: AdmissionLimits = AdmissionLimits(),
        memoryBudgetBytes: Int = 512 << 20
    ) {
        self.mode = mode
        self.limits = limits
        self.admission = admission
        self.memoryBudgetBytes = memoryBudgetBytes
    }
}
