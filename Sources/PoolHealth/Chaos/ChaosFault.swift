import Glibc

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

    /// So many workers make a pool of this machine stand still, for as long as a fault may last.
    var sufficientWorkers: Int {
        let width = max(1, sysconf(Int32(_SC_NPROCESSORS_CONF)))
        switch self {
        case .sleep, .lock, .semaphore, .read, .compute: return min(2 * width, ChaosPlan.maximumWorkers)
        // Dispatch adds a thread a second.
        case .dispatch: return min(width + Int(ChaosPlan.maximumDuration.inSeconds), ChaosPlan.maximumWorkers)
        case .serial: return RootQueue.threadLimit + Self.serialQueuesBeyondLimit
        }
    }

    private static let serialQueuesBeyondLimit = 45

    /// The verdicts that are right for it.
    ///
    /// - Parameter hasQuota: whether the process's CPU time is limited: then too much computing may show as throttling.
    func rightCauses(hasQuota: Bool) -> [StallCause] {
        switch self {
        case .sleep, .lock, .semaphore, .read: [.blocked]
        case .compute: hasQuota ? [.cpuSaturated, .cgroupThrottled] : [.cpuSaturated]
        case .dispatch: [.gcdContention]
        case .serial: [.threadLimit]
        }
    }
}
