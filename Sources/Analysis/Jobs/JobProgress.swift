import Scheduling

/// How far a job is.
public struct JobProgress: Sendable, Equatable {
    /// What a job does.
    public enum State: String, Sendable, CaseIterable {
        /// Its pictures are still being sent; those that are there are worked on.
        case receiving
        /// All of its pictures are there, and are worked on.
        case running
        /// No further picture is taken on until somebody says so.
        case paused
        /// Every picture has its result.
        case finished
        /// It was given up.
        case cancelled
    }

    /// What it does.
    public let state: State
    /// Which line its pictures wait in.
    public let priority: WaitPriority
    /// Pictures that have come so far; all of them unless it is still receiving.
    public let total: Int
    /// Pictures with a vector.
    public let done: Int
    /// Pictures with an error.
    public let failed: Int
    /// Pictures that were given up.
    public let cancelled: Int
    /// Pictures a second, since it began, pauses left out; nil until there is one.
    public let rate: Double?

    /// When it will be done at this rate; nil if that can't be said, or if it has ended.
    public var timeLeft: Duration? {
        guard state == .running, let rate, rate > 0 else { return nil }
        return .seconds(Double(total - done - failed) / rate)
    }
}
