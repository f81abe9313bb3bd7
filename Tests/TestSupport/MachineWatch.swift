import Foundation
import Synchronization

/// Tells whether others had the machine's processors meanwhile: then nobody can say how soon something has to be seen.
package final class MachineWatch: Sendable {
    /// A wait of 20 ms that lasts so long tells of a machine that is busy, or that stood still.
    private static let busyWait = Duration.milliseconds(300)

    private struct State {
        var latest = Duration.zero
        var isOver = false
    }

    private let state = Mutex(State())

    /// Watches until it is stopped.
    package init() {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isOver }) {
                let asleep = ContinuousClock.now
                usleep(20_000)
                state.withLock { $0.latest = max($0.latest, .now - asleep) }
            }
        }
    }

    /// So far.
    package var wasBusy: Bool { state.withLock { $0.latest } >= Self.busyWait }

    /// Ends its thread.
    package func stop() { state.withLock { $0.isOver = true } }
}
