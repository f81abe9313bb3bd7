@preconcurrency import Dispatch

/// A Dispatch source that can be paused, with the two traps closed: resuming or suspending twice, and cancelling while
/// suspended (the cancel handler would never run and the descriptor would leak). Used on the reactor only.
final class PausableSource {
    private let source: any DispatchSourceProtocol
    private(set) var isRunning = false
    private var isCancelled = false

    /// Takes over a source that was just made and is suspended.
    init(_ source: any DispatchSourceProtocol) {
        self.source = source
    }

    func resume() {
        guard !isRunning, !isCancelled else { return }
        isRunning = true
        source.resume()
    }

    func pause() {
        guard isRunning, !isCancelled else { return }
        isRunning = false
        source.suspend()
    }

    func cancel() {
        guard !isCancelled else { return }
        source.cancel()
        resume()
        isCancelled = true
    }
}
