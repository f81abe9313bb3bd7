import Scheduling
import Threads

/// The memory of all jobs: pictures that wait, and results that are kept.
///
/// Results are never refused: each takes the place of a picture that was let in. So whoever brings pictures waits until
/// there is room, and results may pass the limit by no more than they are larger than their pictures.
///
/// **Why nobody waits for ever.** The first in the line waits only while pictures are there that are worked on or will
/// be, or while a job is being closed. Each change of that, and each departure from the line, wakes all who wait, and
/// the one who is the first then looks again.
final class JobBudget: Sendable {
    /// Guards who holds what, and the line; nothing of anybody else's is called while it is held.
    private let ledger: Locked<JobLedger>
    private let changes = ChangeSignal()

    init(limit: Int) {
        ledger = Locked(JobLedger(limit: limit))
    }

    /// Bytes that are taken.
    var byteCount: Int { ledger.withLock { $0.byteCount } }

    /// Begins to count for one more job.
    func open() -> JobLedger.Account { ledger.withLock { $0.open() } }

    /// Frees all that is held for a job; its pictures that still wait for room are turned away.
    func close(_ account: JobLedger.Account) {
        change { $0.close(account) }
    }

    /// Pictures of a paused job make no room for others. Wakes nobody, so that it may be called within a lock;
    /// ``lookAgain()`` follows.
    func setPaused(_ isPaused: Bool, _ account: JobLedger.Account) {
        ledger.withLock { $0.setPaused(isPaused, account) }
    }

    /// Wakes those who wait.
    func lookAgain() {
        changes.advance()
    }

    /// A picture has become a result.
    func exchange(picture bytes: Int, forResult resultBytes: Int, of account: JobLedger.Account) {
        change { $0.exchange(picture: bytes, forResult: resultBytes, of: account) }
    }

    /// Takes room for a picture, suspending until it is its turn and the room is there.
    ///
    /// - Parameter makeRoom: Called while there is none and nothing under way will make any; says whether it has freed
    ///   something.
    /// - Throws: `CancellationError`; ``JobError/cancelled`` if the job is closed meanwhile;
    ///   ``JobError/tooLarge(limitBytes:)`` or ``JobError/noRoom(limitBytes:)`` if there is no room and none will come:
    ///   then the job has to be closed.
    func take(picture bytes: Int, of account: JobLedger.Account, makeRoom: () -> Bool) async throws {
        let place = ledger.withLock { $0.enter(picture: bytes, of: account) }
        defer { change { $0.leave(place) } }
        while true {
            let version = changes.version
            switch ledger.withLock({ $0.decide(place) }) {
            case .granted: return
            case .closed: throw JobError.cancelled
            case .wait: try await changes.changed(since: version)
            case .needsRoom:
                guard !makeRoom(), changes.version == version else { continue }
                throw ledger.withLock { $0.refuse(place) }
            }
        }
    }

    private func change(_ body: (inout JobLedger) -> Void) {
        ledger.withLock { body(&$0) }
        changes.advance()
    }
}
