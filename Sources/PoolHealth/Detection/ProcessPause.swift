/// A time in which no thread of the process ran. It is told as a stall of its own, and so says nothing about a pool.
struct ProcessPause: Sendable, Equatable {
    /// How much of it the monotonic clock counted: the process was stopped, or the host gave it no processor.
    let overslept: Duration
    /// How much of it the machine was suspended, for which the monotonic clock stands still.
    let suspended: Duration

    var length: Duration { overslept + suspended }

    static let none = ProcessPause(overslept: .zero, suspended: .zero)
}
