import Scheduling
import Threads

/// A test's hold on one job of a lane: keeps it running until it may end, and sees the flag it was given.
final class JobControl: Sendable {
    private let gate = Gate()
    private let flag = Locked<CancellationFlag?>(nil)

    var flagIsSet: Bool {
        flag.withLock { $0?.isCancelled ?? false }
    }

    func letEnd() {
        gate.open()
    }

    /// Blocks until the job may end; called by the job.
    func hold(_ given: CancellationFlag) {
        flag.withLock { $0 = given }
        gate.pass()
    }
}
