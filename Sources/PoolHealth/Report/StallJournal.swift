import Threads

/// The last stalls, and how the pools are now. Written by the monitor's threads and read by the admin listener's; each
/// section copies references and no more.
final class StallJournal: Sendable {
    /// Stalls that are kept.
    static let capacity = 64

    private struct State {
        var records: [StallRecord] = []
        var report = PoolReport()
    }

    private let state = Locked(State())

    /// The newest last.
    var records: [StallRecord] { state.withLock { $0.records } }

    var report: PoolReport { state.withLock { $0.report } }

    func publish(_ report: PoolReport) {
        state.withLock { $0.report = report }
    }

    func add(_ record: StallRecord) {
        state.withLock { state in
            if state.records.count == Self.capacity { state.records.removeFirst() }
            state.records.append(record)
        }
    }

    /// Changes the record with this number, if it is still kept; the record after the change.
    @discardableResult
    func update(_ number: Int, _ change: (inout StallRecord) -> Void) -> StallRecord? {
        state.withLock { state in
            guard let index = state.records.lastIndex(where: { $0.number == number }) else { return nil }
            change(&state.records[index])
            return state.records[index]
        }
    }
}
