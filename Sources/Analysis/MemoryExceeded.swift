/// Decoding a picture takes more memory than all pictures together may have; nothing was decoded.
public struct MemoryExceeded: Error, Equatable, Sendable {
    /// What its header foretells, in bytes.
    public let neededBytes: Int
    /// What there is for all, in bytes.
    public let budgetBytes: Int
}
