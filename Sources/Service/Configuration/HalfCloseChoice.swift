/// What it means that a client has closed its sending side: TCP can't tell one that is gone from one that still
/// listens.
public enum HalfCloseChoice: String, Sendable, CaseIterable {
    /// The client is gone: its request is cancelled.
    case close
    /// The client may still want its answer, which it gets; that it is gone shows only when writing fails.
    case allow
}
