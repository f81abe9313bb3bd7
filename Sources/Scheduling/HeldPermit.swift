import Threads

/// A permit that is given back once: when it is released, or with the last reference to it.
///
/// For permits whose holder is not one function: one that is taken when something is begun and given back when
/// something else ends, if that ever begins.
public final class HeldPermit: Sendable {
    private let semaphore: CancellableSemaphore
    private let weight: Int
    private let isHeld = Locked(true)

    /// Takes over permits that the caller has acquired.
    public init(of semaphore: CancellableSemaphore, weight: Int = 1) {
        self.semaphore = semaphore
        self.weight = weight
    }

    deinit {
        release()
    }

    /// Gives the permits back; the second time does nothing.
    public func release() {
        let isFirst = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if isFirst {
            semaphore.release(weight)
        }
    }
}
