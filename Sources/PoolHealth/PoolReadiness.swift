/// Whether the process should be given work.
public enum PoolReadiness: Sendable, Equatable {
    /// No pool of tasks is in a severe stall.
    case ready
    /// A pool has stood still for two seconds or more.
    case starved(pool: String, cause: StallCause, culprit: String?)

    /// What to answer, in a sentence; `nil` when all is well.
    public var reason: String? {
        guard case .starved(let pool, let cause, let culprit) = self else { return nil }
        let place = culprit.map { ", at \($0)" } ?? ""
        return "the pool \(pool) stands still: \(cause.rawValue)\(place)"
    }
}
