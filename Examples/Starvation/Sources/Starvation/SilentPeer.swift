import Threads

/// Takes questions and a callback for each, and never calls back: a connection that was cut, a queue that was dropped,
/// a path through somebody's code without a call.
final class SilentPeer: Sendable {
    private let callbacks = Locked<[@Sendable () -> Void]>([])

    func ask(_ callback: @escaping @Sendable () -> Void) {
        callbacks.withLock { $0.append(callback) }
    }

    func forget() {
        callbacks.withLock { $0 = [] }
    }

    /// Calls all that were never called. How many there were.
    func callBackLate() -> Int {
        let late = callbacks.withLock { callbacks in
            defer { callbacks = [] }
            return callbacks
        }
        late.forEach { $0() }
        return late.count
    }
}
