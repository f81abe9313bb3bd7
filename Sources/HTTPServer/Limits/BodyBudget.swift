import Threads

/// The memory that all request bodies of a server share. Its bytes are those that wait in pipes, a chunk that a handler has
/// got until it asks for the next one, and all of a body that was collected until its request is over.
///
/// The reactor asks before each read; handlers give back from their own threads. Who was refused is called on the reactor
/// when something was given back, in the order of asking.
final class BodyBudget: Sendable {
    typealias Account = BodyLedger.Account

    private struct State {
        var ledger: BodyLedger
        var waiting: [Account: @Sendable () -> Void] = [:]
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

    /// A body begins.
    func open() -> Account {
        state.withLock { $0.ledger.open() }
    }

    /// A request with a body is over.
    func close(_ account: Account) {
        change { state in
            state.waiting[account] = nil
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

    /// Whether the body may take so many bytes more. If not, `retry` is called once, on the reactor, when memory was given
    /// back; it has to ask again.
    func admits(_ bytes: Int, for account: Account, retry: @autoclosure () -> @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard !state.ledger.admits(bytes, for: account) else {
                state.waiting[account] = nil
                return true
            }
            if state.waiting[account] == nil {
                state.waiting[account] = retry()
            }
            return false
        }
    }

    /// Changes the ledger, and wakes those that wait: one turn of the reactor for many changes.
    private func change(_ body: (inout State) -> Void) {
        let wakes = state.withLock { state in
            body(&state)
            guard !state.waiting.isEmpty, !state.wakesSoon else { return false }
            state.wakesSoon = true
            return true
        }
        if wakes {
            reactor.run { self.wake() }
        }
    }

    private func wake() {
        let waiting = state.withLock { state in
            defer {
                state.waiting = [:]
                state.wakesSoon = false
            }
            return state.waiting
        }
        for (_, retry) in waiting.sorted(by: { $0.key < $1.key }) {
            retry()
        }
    }
}
