/// The deadline passed before the work was done.
///
/// It carries the instant, so that nested deadlines can be told apart.
public struct DeadlineExceeded: Error, Equatable {
    /// The deadline that passed.
    public let deadline: ContinuousClock.Instant

    /// The error for a deadline that passed.
    public init(deadline: ContinuousClock.Instant) {
        self.deadline = deadline
    }
}
