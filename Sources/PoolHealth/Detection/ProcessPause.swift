/// A time in which no thread of the process ran. It is told as a stall of its own, and so says nothing about a pool.
struct ProcessPause: Sendable, Equatable {
    /// How much of it the monotonic clock counted: the process was stopped, or the host gave it no processor.
    let overslept: Duration
    /// How much of it the machine was suspended, for which the monotonic clock stands still.
    let suspended: Duration
    /// When it was over, on the monotonic clock.
    let end: Duration

    /// When it began, on the monotonic clock.
    var start: Duration { end - overslept }

    var length: Duration { overslept + suspended }
}
