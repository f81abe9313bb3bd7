import CLinux
import Glibc

/// A POSIX semaphore on which a thread of our own sleeps. Never waited on by a task.
///
/// A signal that comes before the wait is kept, so a sleeper that checks its state, leaves the lock and then waits
/// can't miss what changed in between.
///
/// `@unchecked Sendable`: the only state is the `sem_t`, which exists for being used from several threads. Its address
/// never changes, and it is destroyed in `deinit`, when nobody holds a reference and so nobody can be inside a call.
public final class ThreadSemaphore: @unchecked Sendable {
    /// Keeps the arithmetic on the clock within its range; a sleeper looks at its state in between, which costs
    /// nothing.
    private static let longestWait = Duration.seconds(86_400)

    private let handle: UnsafeMutablePointer<sem_t>

    /// Where in memory it is: a thread that sleeps on a futex in here waits for a signal.
    public var addresses: Range<UInt> {
        let start = UInt(bitPattern: handle)
        return start..<(start + UInt(MemoryLayout<sem_t>.size))
    }

    /// Without a signal.
    public init() {
        handle = .allocate(capacity: 1)
        // Fails only for a value above SEM_VALUE_MAX or for process-shared semaphores where there are none.
        let result = sem_init(handle, 0, 0)
        precondition(result == 0, "sem_init failed")
    }

    deinit {
        sem_destroy(handle)
        handle.deallocate()
    }

    /// Lets one waiting thread go, now or when it comes.
    public func signal() {
        sem_post(handle)
    }

    /// Blocks the calling thread until a signal is there, and takes it.
    public func wait() {
        // Interrupted by a signal handler: wait again.
        while sem_wait(handle) != 0 {}
    }

    /// Blocks the calling thread until a signal is there, which it takes, or `limit` has passed on the monotonic clock.
    ///
    /// - Parameter limit: after a day it comes back in any case.
    /// - Returns: whether it took a signal.
    @discardableResult
    public func wait(atMost limit: Duration) -> Bool {
        var remaining = min(limit, Self.longestWait)
        let deadline = ContinuousClock.now + remaining
        repeat {
            let (seconds, attoseconds) = max(remaining, .zero).components
            if clinux_semaphore_wait_for(handle, seconds, attoseconds / 1_000_000_000) == 0 { return true }
            guard errno == EINTR else { return false }
            remaining = deadline - .now
        } while remaining > .zero
        return false
    }
}
