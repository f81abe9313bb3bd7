import Threads

/// Work that is done once for all who ask for it at the same time.
///
/// The first to ask for a key starts a run; whoever asks for the same key until it ends waits for that run too. Each
/// waiter can leave alone, at once; when the last has left, the run is cancelled. It keeps no results: whoever asks
/// after the end starts anew.
///
/// **One unstructured task per run.** The run can't be a child of the task that started it: a child is cancelled with
/// its parent and has ended before the parent goes on, while a run has to survive its starter as long as anybody else
/// waits, and the starter must not wait for others' work. So each run is a `Task` that belongs to the flight, which
/// cancels it when nobody waits any more. Such a run may go on for a moment after its last waiter has left: it owns
/// what it works on, and ``abandoned`` counts it until it has ended. Its ``CancellationCause`` is what the last waiter
/// left for.
///
/// **The work is the first comer's**, with its task's priority and task-local values; those who join can't change it.
/// So it should hold nothing that is one caller's own: no deadline (each caller has its own, around its call), no place
/// in a batch.
///
/// **Why no waiter is lost, woken twice, given another run's result, or left hanging.** A waiter has a seat from the
/// moment it asks until it is taken from it, under the lock, by exactly one of two: the landing of its run, or the
/// cancellation of its own task. Whoever took it from its seat delivers to its ``ResumeOnce``, after the lock is left;
/// the other finds the seat empty and delivers nothing. The `ResumeOnce` keeps what comes before the task awaits it.
/// - *No hanging*: every seat is on a run whose task has been started or is about to be, by the very caller that put
///   the run on the board and has not suspended since. That task lands when the work ends, however it ends, and takes
///   all from their seats. So a waiter hangs only if the work does.
/// - *No lost cancellation*: the run's task is noted on the board before its starter first suspends, and until then the
///   starter keeps its seat. So when the last waiter leaves, the task is there to be cancelled.
/// - *No foreign result*: the last to leave takes the run off the board in the same critical section. A newcomer after
///   that finds the key free and starts a run with a number of its own; the old one's landing is by its own number, and
///   finds that everybody had left.
/// - *Cancelled before it asks*: the caller never gets a seat. *Cancelled after the landing*: it gets the result, and
///   meets its cancellation at its next check.
///
/// Joining and leaving cost O(1) amortised under one short lock, in which nothing of anybody else's is called.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = ResumeOnce<Value>
    private typealias Board = FlightBoard<Key, Waiter, Run>

    /// What is needed to cancel a run.
    private struct Run: Sendable {
        let task: Task<Void, Never>
        let cause: CancellationCause
    }

    /// Guards the board. Only bookkeeping happens while it is held: no continuation is resumed, no task is started or
    /// cancelled.
    private let board = Locked(Board())
    /// Advances whenever a run has ended.
    private let landings = ChangeSignal()
    private let waiterLeft: @Sendable (CancellationCause.Declaration?) -> Void
    private let abandonedRunEnded: @Sendable (Duration) -> Void

    /// A flight without runs.
    ///
    /// - Parameters:
    ///   - waiterLeft: called when a waiter has left a run that goes on for others, with what it left for, on the
    ///     thread that cancelled it; or when it was cancelled before it joined one, on its own. Must not block.
    ///   - abandonedRunEnded: called when a run that everybody had left has ended, with the time since its last waiter
    ///     left, on the run's task. Must not block.
    public init(
        waiterLeft: @escaping @Sendable (CancellationCause.Declaration?) -> Void = { _ in },
        abandonedRunEnded: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        self.waiterLeft = waiterLeft
        self.abandonedRunEnded = abandonedRunEnded
    }

    /// Runs that somebody waits for.
    public var inFlight: Int { board.withLock { $0.awaitedCount } }

    /// Runs that were cancelled, since everybody has left, and that have not ended.
    public var abandoned: Int { board.withLock { $0.abandonedCount } }

    /// Tasks that wait, for all runs together.
    public var waiting: Int { board.withLock { $0.waiterCount } }

    /// Gives what the key's run returns, starting one with `work` if none is under way.
    ///
    /// - *The task is cancelled while it waits*: it leaves at once. The run goes on if others wait for it and is
    ///   cancelled otherwise; it is not awaited.
    /// - *The run fails*: all who wait get its error.
    ///
    /// - Parameters:
    ///   - key: what makes two calls ask for the same thing.
    ///   - work: run once, in a task of its own, where `Task.isCancelled` says that everybody has left; dropped if the
    ///     caller joins a run. Must not ask for its own key here, since it would wait for itself.
    /// - Throws: `CancellationError` if the task was cancelled, and what the run throws. A `CancellationError` that
    ///   `work` throws of itself, without having been cancelled, is a failure like any other.
    nonisolated(nonsending) public func run(
        _ key: Key, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> FlightOutcome<Value> {
        guard !Task.isCancelled else {
            waiterLeft(CancellationCause.current?.declaration)
            throw CancellationError()
        }
        let waiter = Waiter()
        let (seat, role) = board.withLock { $0.join(key, waiter) }
        if role == .leader {
            start(seat.flight, work)
        }
        let cause = CancellationCause.current
        let value = try await withTaskCancellationHandler {
            try await waiter.value()
        } onCancel: {
            leave(seat, cause?.declaration)
        }
        return FlightOutcome(value: value, role: role)
    }

    /// Suspends until there is no run, not even one that everybody has left. Nobody should ask for another meanwhile.
    ///
    /// - Throws: `CancellationError`.
    nonisolated(nonsending) public func landed() async throws {
        while true {
            let version = landings.version
            guard board.withLock({ $0.awaitedCount + $0.abandonedCount }) > 0 else { return }
            try await landings.changed(since: version)
        }
    }

    private func start(_ flight: Board.Flight, _ work: @escaping @Sendable () async throws -> Value) {
        let cause = CancellationCause()
        let task = Task {
            let result: Result<Value, any Error>
            do {
                result = .success(try await CancellationCause.$current.withValue(cause) { try await work() })
            } catch {
                result = .failure(error)
            }
            land(flight, with: result)
        }
        board.withLock { $0.attach(Run(task: task, cause: cause), to: flight) }
    }

    private func leave(_ seat: Board.Seat, _ declaration: CancellationCause.Declaration?) {
        switch board.withLock({ $0.leave(seat, at: .now) }) {
        case .tooLate:
            break
        case .left(let waiter):
            waiter.resume(throwing: CancellationError())
            waiterLeft(declaration)
        case .leftLast(let waiter, let run):
            waiter.resume(throwing: CancellationError())
            if let declaration {
                run?.cause.declare(declaration)
            }
            run?.task.cancel()
        }
    }

    private func land(_ flight: Board.Flight, with result: Result<Value, any Error>) {
        switch board.withLock({ $0.land(flight) }) {
        case .awaited(let waiters):
            for waiter in waiters {
                waiter.resume(with: result)
            }
        case .abandoned(let since):
            abandonedRunEnded(.now - since)
        }
        landings.advance()
    }
}
