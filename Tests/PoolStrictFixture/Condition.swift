import Glibc

/// A POSIX condition that is signalled once.
///
/// `@unchecked Sendable`: `isSignalled` is touched with `mutex` locked only. Both handles have fixed addresses and are
/// never freed, since the program ends with them.
final class Condition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isSignalled = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    func signal() {
        pthread_mutex_lock(mutex)
        isSignalled = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    func wait() {
        pthread_mutex_lock(mutex)
        while !isSignalled { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }
}
