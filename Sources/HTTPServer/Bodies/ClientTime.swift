import Threads

/// Whether the client may wait for the handler before it sends more of a body: as long as the handler is at anything
/// that the client may wait for. Any thread.
final class ClientTime: Sendable {
    /// How many such things there are.
    private let pauses = Locked(0)
    private let onChange: @Sendable () -> Void

    /// Makes a time that runs.
    /// - Parameter onChange: Called on the handler's thread, outside the lock: `isPaused` has changed.
    init(onChange: @escaping @Sendable () -> Void) {
        self.onChange = onChange
    }

    var isPaused: Bool {
        pauses.withLock { $0 > 0 }
    }

    /// The handler begins something that the client may wait for.
    func pause() {
        change(by: 1)
    }

    /// Ends one pause.
    func resume() {
        change(by: -1)
    }

    private func change(by change: Int) {
        let hasChanged = pauses.withLock { pauses in
            let wasPaused = pauses > 0
            pauses += change
            return wasPaused != (pauses > 0)
        }
        if hasChanged {
            onChange()
        }
    }
}
