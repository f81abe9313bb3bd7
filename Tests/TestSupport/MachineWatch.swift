import Foundation
import Synchronization

/// Tells whether others had one of the machine's processors meanwhile, or it stood still: then nobody can say how soon
/// something has to be seen.
package final class MachineWatch: Sendable {
    /// A wait of 20 ms that lasts so long tells of a processor that was busy, or that stood still.
    private static let busyWait = Duration.milliseconds(300)

    private struct State {
        var latest = Duration.zero
        /// When each watcher began to wait.
        var asleepSince: [ContinuousClock.Instant]
        var isOver = false
    }

    private let state: Mutex<State>

    /// Watches until it is stopped, from as many threads as there are processors: a hypervisor may hold up one alone,
    /// and then most likely one of them.
    package init() {
        let watchers = ProcessInfo.processInfo.activeProcessorCount
        state = Mutex(State(asleepSince: Array(repeating: .now, count: watchers)))
        for watcher in 0..<watchers {
            Thread.detachNewThread { [self] in watch(watcher) }
        }
    }

    /// So far, the waits that have not ended included.
    package var wasBusy: Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            return state.latest >= Self.busyWait || state.asleepSince.contains { now - $0 >= Self.busyWait }
        }
    }

    /// Ends its threads.
    package func stop() { state.withLock { $0.isOver = true } }

    private func watch(_ watcher: Int) {
        while !state.withLock({ $0.isOver }) {
            usleep(20_000)
            state.withLock { state in
                let now = ContinuousClock.now
                state.latest = max(state.latest, now - state.asleepSince[watcher])
                state.asleepSince[watcher] = now
            }
        }
    }
}
