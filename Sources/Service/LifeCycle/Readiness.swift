import Synchronization

/// Whether the service takes requests; what `/readyz` says. Read on the reactor, set when the service stops.
final class Readiness: Sendable {
    private let stopping = Atomic(false)

    /// True until the service was told to stop.
    var isReady: Bool { !stopping.load(ordering: .acquiring) }

    /// From now on the service is not ready, so that load balancers look elsewhere.
    func beginStopping() {
        stopping.store(true, ordering: .releasing)
    }
}
