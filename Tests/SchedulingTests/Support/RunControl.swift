import Scheduling
import Synchronization

/// A test's hold on one run of a flight: keeps it going until it may end, whether or not it is cancelled, and sees
/// whether it was.
final class RunControl: Sendable {
    private struct Broken: Error {}

    private let end = ResumeOnce<Bool>()
    private let flag = CancellationFlag()

    var isCancelled: Bool { flag.isCancelled }

    func letEnd(failing: Bool = false) {
        end.resume(returning: failing)
    }

    /// Suspends until the run may end; awaited by the run. Throws if it is to fail.
    func hold() async throws {
        let fails = try await withTaskCancellationHandler {
            try await end.value()
        } onCancel: {
            flag.cancel()
        }
        if fails { throw Broken() }
    }
}
