/// Why a connection was turned away.
public enum RefusalReason: String, Sendable, CaseIterable {
    /// As many connections were open as the server serves.
    case limit
    /// The process, or the system, had no descriptors left.
    case descriptors
}
