import Glibc

/// A value that one thread at a time may touch, for short synchronous sections.
///
/// As `Synchronization.Mutex`, but on `pthread_mutex_t`. Swift's own lock is futex code inside of its runtime, which
/// ThreadSanitizer on Linux doesn't see: it would take everything that the lock orders for a race. It knows pthread.
///
/// Not recursive, and not fair. Nothing that can block or suspend belongs into a section.
///
/// Invariant behind `@unchecked Sendable`: `value` is touched with `mutex` locked only, which is also why its accesses
/// need no check of their own. The mutex lives at a fixed address, as pthread demands, from `init` to `deinit`, when
/// nobody holds a reference and so nobody can be in a section. What goes in and comes out is `sending`, so nobody
/// outside keeps a part of the value.
public final class Locked<Value: ~Copyable>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline @exclusivity(unchecked) var value: Value

    /// A lock that nobody holds, around a value.
    public init(_ initial: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        // Can't fail for the default attributes.
        pthread_mutex_init(mutex, nil)
        value = initial
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Waits until nobody else is in a section, and runs `body` as one.
    ///
    /// - Parameter body: May change the value. Must not take the same lock again, which would wait for ever.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; the lock is open again then.
    @inlinable
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
