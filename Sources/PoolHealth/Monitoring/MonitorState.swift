import Telemetry
import Threads

/// What the monitor's thread shares with others.
final class MonitorState: Sendable {
    let metrics: PoolMetrics
    let ledger: CulpritLedger
    let journal: StallJournal
    let reporter: StallReporter
    let control: ControlThread
    let logger: Logger
    let inFlight: InFlight?
    let abortAfter: Duration?
    /// The names of the program's own lanes.
    let lanes: [String]
    /// Signalled once, to end the loop.
    let stop = ThreadSemaphore()
    private let explosions = Locked<[String]>([])

    init(
        metrics: PoolMetrics, ledger: CulpritLedger, logger: Logger, inFlight: InFlight?, abortAfter: Duration?,
        lanes: [String]
    ) throws(PoolHealthError) {
        self.metrics = metrics
        self.ledger = ledger
        self.logger = logger
        self.inFlight = inFlight
        self.abortAfter = abortAfter
        self.lanes = lanes
        journal = StallJournal()
        control = try ControlThread()
        do {
            reporter = try StallReporter(journal: journal, ledger: ledger, logger: logger)
        } catch {
            control.stop()
            throw error
        }
    }

    /// Logs what grows, once for each time that it begins.
    func noteExplosions(_ current: [String]) {
        let began = explosions.withLock { known in
            defer { known = current }
            return known.isEmpty && !current.isEmpty
        }
        guard began else { return }
        logger.log(.warning, event: "thread_explosion", fields: ["roots": .strings(current)])
    }
}
