import Glibc

/// A counting semaphore that blocks threads, with a timeout on the monotonic clock.
///
/// For this module's own thread and for `flush` only; nothing that runs on the cooperative pool may wait on it.
///
/// `@unchecked Sendable`: `count` is touched with `mutex` locked only, and the pthread objects, which must not move,
/// live at fixed addresses from `init` to `deinit`.
final class ThreadSemaphore: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var count = 0

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func signal() {
        pthread_mutex_lock(mutex)
        count += 1
        // Inside of the lock: the last waiter may free the semaphore as soon as it is out.
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    func wait() {
        pthread_mutex_lock(mutex)
        while count == 0 { pthread_cond_wait(condition, mutex) }
        count -= 1
        pthread_mutex_unlock(mutex)
    }

    /// Returns whether a signal came in time.
    func wait(timeout: Duration) -> Bool {
        var deadline = Self.monotonicTime(after: timeout)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while count == 0 {
            if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { break }
        }
        guard count > 0 else { return false }
        count -= 1
        return true
    }

    private static func monotonicTime(after timeout: Duration) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = max(timeout, .zero).components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        // A century is for ever, and keeps the sum in range.
        let wholeSeconds = now.tv_sec + Int(min(seconds, 3_200_000_000)) + nanoseconds / 1_000_000_000
        return timespec(tv_sec: wholeSeconds, tv_nsec: nanoseconds % 1_000_000_000)
    }
}
