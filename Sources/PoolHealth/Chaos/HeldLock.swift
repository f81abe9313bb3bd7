import Glibc
import Threads

/// A mutex that a thread of its own holds until an instant.
///
/// `@unchecked Sendable`: the only state is the mutex, which exists for being used from several threads. Its address
/// never changes, and it lives as long as somebody holds a reference, which everybody in a call does.
final class HeldLock: @unchecked Sendable {
    let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init(until end: Duration) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        let isHeld = ThreadSemaphore()
        let never = ThreadSemaphore()
        let started: Void? = try? OwnThread.start(name: "chaos-lock") { [self] in
            pthread_mutex_lock(mutex)
            isHeld.signal()
            never.wait(atMost: end - Clock.monotonic())
            pthread_mutex_unlock(mutex)
        }
        if started != nil { isHeld.wait() }
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }
}
