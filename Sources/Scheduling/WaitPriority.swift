/// Who goes first where both wait for the same permits.
public enum WaitPriority: Sendable, CaseIterable {
    /// Somebody waits for the answer of this one request.
    case interactive
    /// Part of a long stream of work; later is fine, never is not.
    case batch
}
