import Threads

/// A result that several sides may deliver and one task awaits: the first delivery wins, the others are ignored.
///
/// It stands between a continuation, which must be resumed exactly once, and the world, where a callback and a
/// cancellation race, or where a C library calls back twice, or before the call that registered the callback returned.
///
/// - A result that arrives before the continuation is attached is kept and handed over at the attachment.
/// - The continuation is resumed outside the lock: the state machine decides under it who won, and only the winner
///   holds the continuation afterwards.
/// - It doesn't react to the task's cancellation by itself. Whoever waits says in a cancellation handler what
///   cancelling means, and delivers `CancellationError` if that is the answer.
///
/// A result that never comes leaves the task waiting forever: where the other side can stay silent, a timer of a
/// ``TimerQueue`` has to deliver an error.
public final class ResumeOnce<Value: Sendable>: Sendable {
    private enum State {
        case pending
        case awaited(CheckedContinuation<Value, any Error>)
        case delivered(Result<Value, any Error>)
        case handedOver
    }

    /// Guards the state. Nothing is called while it is held, so it can't take part in a deadlock.
    private let state = Locked(State.pending)

    /// Nothing delivered, nobody waiting.
    public init() {}

    /// Whether a result was delivered, whether or not somebody has received it yet.
    public var isResumed: Bool {
        state.withLock { state in
            switch state {
            case .pending, .awaited: false
            case .delivered, .handedOver: true
            }
        }
    }

    /// Delivers a result.
    ///
    /// - Returns: whether this was the first delivery, the one that counts.
    @discardableResult
    public func resume(with result: Result<Value, any Error>) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .pending:
                state = .delivered(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .handedOver
                return (true, continuation)
            case .delivered, .handedOver:
                return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }

    /// Delivers a value. Returns whether this was the first delivery, the one that counts.
    @discardableResult
    public func resume(returning value: Value) -> Bool {
        resume(with: .success(value))
    }

    /// Delivers an error. Returns whether this was the first delivery, the one that counts.
    @discardableResult
    public func resume(throwing error: any Error) -> Bool {
        resume(with: .failure(error))
    }

    /// Attaches the continuation that gets the result, at once if it has been delivered already.
    ///
    /// - Precondition: called once, and never beside ``value()``.
    public func attach(_ continuation: CheckedContinuation<Value, any Error>) {
        let early = state.withLock { state -> Result<Value, any Error>? in
            switch state {
            case .pending:
                state = .awaited(continuation)
                return nil
            case .delivered(let result):
                state = .handedOver
                return result
            case .awaited, .handedOver:
                preconditionFailure("a ResumeOnce has one continuation")
            }
        }
        if let early {
            continuation.resume(with: early)
        }
    }

    /// Suspends until a result is delivered, and gives it.
    ///
    /// - Precondition: called once, and never beside ``attach(_:)``.
    /// - Throws: the delivered error; nothing of its own, and nothing on cancellation unless it is delivered.
    nonisolated(nonsending) public func value() async throws -> Value {
        try await withCheckedThrowingContinuation { attach($0) }
    }
}

extension ResumeOnce where Value == Void {
    /// Delivers the bare news. Returns whether this was the first delivery, the one that counts.
    @discardableResult
    public func resume() -> Bool {
        resume(with: .success(()))
    }
}
