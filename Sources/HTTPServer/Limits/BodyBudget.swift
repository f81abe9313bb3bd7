import Scheduling
import Threads

/// The memory that all request bodies of a server share. Its bytes are those that wait in pipes, a chunk that a handler
/// has got until it asks for the next one, and all of a body that was collected until its request is over.
///
/// The reactor asks before each read, and a task before it inflates a piece; handlers give back from their own threads.
/// Who has to wait is called on the reactor when something was given back, older bodies first.
final class BodyBudget: Sendable {
    typealias Account = BodyLedger.Account

    private struct State {
        var ledger: BodyLedger
        /// Connections that don't read.
        var pausedReads: [Account: @Sendable () -> Void] = [:]
        /// Tasks that don't inflate.
        var pausedTasks: [Account: [ResumeOnce<Void>]] = [:]
        var wakesSoon = false
    }

    /// The lock is held for a few additions; callbacks run outside it.
    private let state: Locked<State>
    private let reactor: Reactor

    /// Makes a budget; the sizes are as for `BodyLedger`.
    init(limitBytes: Int, largestBodyBytes: Int, reactor: Reactor) {
        state = Locked(State(ledger: BodyLedger(limitBytes: limitBytes, largestBodyBytes: largestBodyBytes)))
        self.reactor = reactor
    }

    /// Bytes that are held in all.
    var total: Int { state.withLock { $0.ledger.total } }

    /// A body begins; the parameters are as for `BodyLedger`.
    func open(client: ClientNetwork, isStreamed: Bool, workingBytes: Int = 0) -> Account {
        state.withLock { $0.ledger.open(client: client, isStreamed: isStreamed, workingBytes: workingBytes) }
    }

    /// A request with a body is over.
    func close(_ account: Account) {
        change { state in
            state.pausedReads[account] = nil
            state.ledger.close(account)
        }
    }

    /// Bytes of the body have come in.
    func take(_ bytes: Int, for account: Account) {
        state.withLock { $0.ledger.take(bytes, for: account) }
    }

    /// The handler is done with so many bytes. Any thread.
    func release(_ bytes: Int, of account: Account) {
        guard bytes > 0 else { return }
        change { $0.ledger.release(bytes, of: account) }
    }

    /// Whether the body may take so many bytes more. If it has to wait, `retry` is called once, on the reactor, when
    /// memory was given back; it has to ask again.
    func admission(
        of bytes: Int, for account: Account, retry: @autoclosure () -> @Sendable () -> Void
    ) -> BodyLedger.Admission {
        state.withLock { state in
            let admission = state.ledger.admission(of: bytes, for: account)
            if admission != .waits {
                state.pausedReads[account] = nil
            } else if state.pausedReads[account] == nil {
                state.pausedReads[account] = retry()
            }
            return admission
        }
    }

    /// Takes so many bytes for the body as soon as it may. For tasks; doesn't wait once the body's request is over.
    /// - Throws: `BodyError` when it never may; `CancellationError`.
    func reserve(_ bytes: Int, for account: Account) async throws {
        while true {
            let turn = ResumeOnce<Void>()
            switch takeOrWait(bytes, for: account, turn) {
            case .admitted:
                return
            case .refused(let error):
                throw error
            case .waits:
                try await withTaskCancellationHandler {
                    try await turn.value()
                } onCancel: {
                    turn.resume(throwing: CancellationError())
                }
            }
        }
    }

    private func takeOrWait(
        _ bytes: Int, for account: Account, _ turn: ResumeOnce<Void>
    ) -> BodyLedger.Admission {
        state.withLock { state in
            let admission = state.ledger.admission(of: bytes, for: account)
            switch admission {
            case .admitted: state.ledger.take(bytes, for: account)
            case .waits: state.pausedTasks[account, default: []].append(turn)
            case .refused: break
            }
            return admission
        }
    }

    /// Changes the ledger, and wakes those that wait: one turn of the reactor for many changes.
    private func change(_ body: (inout State) -> Void) {
        let wakes = state.withLock { state in
            body(&state)
            guard !state.pausedReads.isEmpty || !state.pausedTasks.isEmpty, !state.wakesSoon else { return false }
            state.wakesSoon = true
            return true
        }
        if wakes {
            reactor.run { self.wake() }
        }
    }

    private func wake() {
        let (reads, tasks) = state.withLock { state in
            defer {
                state.pausedReads = [:]
                state.pausedTasks = [:]
                state.wakesSoon = false
            }
            return (state.pausedReads, state.pausedTasks)
        }
        for account in Set(reads.keys).union(tasks.keys).sorted() {
            reads[account]?()
            tasks[account]?.forEach { $0.resume() }
        }
    }
}
