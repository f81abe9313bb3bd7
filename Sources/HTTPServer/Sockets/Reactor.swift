@preconcurrency import Dispatch

/// The one serial queue that makes and cancels every source and touches every socket; also the executor of the
/// actors that live on it, so that the compiler checks who may touch what. Source handlers enter an actor with
/// `assumeIsolated`, without an await and without the cooperative pool.
///
/// Nothing that runs here may block: it only moves bytes.
final class Reactor: SerialExecutor, @unchecked Sendable {
    /// How much one `recv` takes at most. Large, because an upload is many of them.
    static let receiveBufferBytes = 256 * 1024

    let queue = DispatchQueue(label: "http.reactor")

    /// The one timer of all connections' time limits.
    let deadlines: DeadlineTimer

    /// Which connections can be read and written.
    let readiness: ReadinessWatcher

    /// Who leaves while nobody reads.
    let hangUps: HangUpWatcher

    /// Where every `recv` puts its bytes; shared, since no connection keeps anything in it between two events.
    /// Invariant behind `@unchecked Sendable`: touched on `queue` only.
    var receiveBuffer = [UInt8](repeating: 0, count: receiveBufferBytes)

    init() {
        deadlines = DeadlineTimer(queue: queue)
        readiness = ReadinessWatcher(queue: queue)
        hangUps = HangUpWatcher(queue: queue)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { @Sendable in
            job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Runs the work on the reactor soon.
    func run(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Runs the work on the reactor after the delay.
    func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + delay.dispatchInterval, execute: work)
    }
}

extension Duration {
    /// The same length for Dispatch, at most a day: nothing here waits longer.
    var dispatchInterval: DispatchTimeInterval {
        let bounded = min(max(self, .zero), .seconds(86_400))
        return .nanoseconds(
            Int(bounded.components.seconds) * 1_000_000_000 + Int(bounded.components.attoseconds / 1_000_000_000))
    }
}
