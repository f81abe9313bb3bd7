import Scheduling
import Threads

/// A request that tasks can await: turns OpenVINO's callback into the resumption of whoever waits.
///
/// One inference at a time: the engine gives a slot to one task and takes it back when ``run(_:)`` is over.
///
/// **The end of an inference**, cancelled or not, always takes the same way: OpenVINO's thread calls the callback,
/// which only posts to the completion lane; the lane's thread waits until OpenVINO has let go of the request, reads the
/// vector and delivers. So when ``run(_:)`` returns, the request is idle and its buffers are free again. The one
/// exception is a request that never calls back: after the stall limit ``InferenceError/stalled(after:)`` is delivered
/// instead, and the slot must not be used again, because its buffers may still be written to.
final class InferenceSlot: Sendable {
    private let request: InferRequest
    private let completionLane: Lane
    private let timers: TimerQueue
    private let stallLimit: Duration

    /// What the running inference delivers to; `nil` when none is running.
    ///
    /// OpenVINO's cancel is called while this lock is held. That is what keeps a late cancellation from hitting the
    /// next inference on the same request: under the lock, either the inference is still the current one or nothing
    /// happens. The call only sets a state and never calls back.
    private let current = Locked<ResumeOnce<[Float]>?>(nil)

    init(
        _ request: InferRequest, completionLane: Lane, timers: TimerQueue, stallLimit: Duration
    ) throws(InferenceError) {
        self.request = request
        self.completionLane = completionLane
        self.timers = timers
        self.stallLimit = stallLimit
        // Not retained: a callback only comes while an inference runs, and then `run` holds the slot.
        try request.setCallback(
            { context in
                guard let context else { return }
                Unmanaged<InferenceSlot>.fromOpaque(context).takeUnretainedValue().ended()
            }, context: Unmanaged.passUnretained(self).toOpaque())
    }

    /// Infers one picture.
    ///
    /// Cancelling the task ends the inference at its next layer; `run` returns when it has ended.
    ///
    /// - Throws: `CancellationError`, ``InferenceError``; after ``InferenceError/stalled(after:)`` the slot is lost and
    ///   has to be handed to ``abandon()``.
    func run(_ picture: [UInt8]) async throws -> [Float] {
        try Task.checkCancellation()
        request.write(picture)
        let outcome = ResumeOnce<[Float]>()
        current.withLock { $0 = outcome }
        do {
            try request.start()
        } catch {
            current.withLock { $0 = nil }
            throw error
        }
        let stallTimer = timers.schedule(at: .now + stallLimit) { [stallLimit] in
            outcome.resume(throwing: InferenceError.stalled(after: stallLimit))
        }
        defer { timers.cancel(stallTimer) }
        // Installed only now: OpenVINO ignores a cancel before the start, whereas a handler that is installed in a
        // cancelled task runs at once.
        return try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            cancel(outcome)
        }
    }

    /// Keeps a stalled slot alive for the rest of the process, since OpenVINO may still use its memory.
    func abandon() {
        request.cancel()
        _ = Unmanaged.passRetained(self)
    }

    private func cancel(_ outcome: ResumeOnce<[Float]>) {
        current.withLock { current in
            if current === outcome {
                request.cancel()
            }
        }
    }

    /// On OpenVINO's thread, inside the callback: waiting for the request here would wait for this very call.
    private func ended() {
        completionLane.post { self.deliver() }
    }

    private func deliver() {
        let result = Result {
            try request.wait()
            return try request.readVector()
        }
        let outcome = current.withLock { current in
            defer { current = nil }
            return current
        }
        outcome?.resume(with: result)
    }
}
