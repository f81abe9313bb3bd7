/// A way to break a pool, for tests and demonstrations.
public enum ChaosFault: String, Sendable, CaseIterable {
    /// Tasks that sleep.
    case sleep
    /// Tasks that wait for a lock which somebody else holds.
    case lock
    /// Tasks that wait for a semaphore.
    case semaphore
    /// Tasks that read from a pipe into which nothing is written.
    case read
    /// Tasks that compute without a pause.
    case compute
    /// Blocks on a global queue of Dispatch that sleep.
    case dispatch
    /// Serial queues with a block each that sleeps.
    case serial
}
