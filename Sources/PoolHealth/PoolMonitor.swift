import Telemetry
import Threads

/// Watches Swift's cooperative pool and Dispatch's threads from outside of both, and says why they stand still.
///
/// Three plain threads: one looks every 100 ms, one answers it as the control, one writes the log; and a fourth for as
/// long as it takes to read debug information. None of them awaits anything, so all go on while every pool thread and
/// Dispatch queue is stuck. Linux only; what the platform doesn't allow is left out, see ``mode``.
///
///     let monitor = try PoolMonitor(registry: registry, logger: logger)
///
/// One for a process.
public final class PoolMonitor: Sendable {
    let state: MonitorState

    /// Registers the metrics and starts the threads.
    ///
    /// Make it before other threads load libraries or map files: what is loaded is listed here, and a mapping that
    /// vanishes in that moment would end the process.
    ///
    /// - Parameters:
    ///   - registry: gets every metric whose name begins with `swift_pool_`, and a few others.
    ///   - logger: gets a line when a stall begins, becomes severe and ends, and one about the mode.
    ///   - inFlight: the requests whose stages are kept with each stall.
    ///   - lanes: the names of the program's own lanes (crews of the `ThreadRoll`), whose threads are reported like
    ///     those of the pools; others are left out of the metrics. Names are unique and differ from the pools'.
    ///   - abortAfter: a stall of a pool that lasts so long ends the process with SIGABRT; `nil` never does.
    ///   - watches: whether it looks at all; otherwise nothing is ever seen, and the metrics stay at zero.
    /// - Throws: ``PoolHealthError`` if the system gives no thread or no descriptor.
    public init(
        registry: MetricsRegistry, logger: Logger, inFlight: InFlight? = nil, lanes: [String] = [],
        abortAfter: Duration? = nil, watches: Bool = true
    ) throws(PoolHealthError) {
        // On this thread, and not when the reporter gets to it: see there.
        Symbolizer.captureImages()
        let ledger = CulpritLedger()
        state = try MonitorState(
            metrics: PoolMetrics(registry: registry, ledger: ledger, lanes: lanes), ledger: ledger, logger: logger,
            inFlight: inFlight, abortAfter: abortAfter, lanes: lanes)
        guard watches else { return }
        do {
            try OwnThread.start(name: "pool-monitor") { [state] in
                Self.awaitControl(state)
                MonitorLoop(shared: state).run()
            }
        } catch {
            stop()
            throw .noThread(error)
        }
    }

    deinit {
        stop()
    }

    /// Ends the threads; each does so after what it is at. Calling it again changes nothing.
    public func stop() {
        state.stop.signal()
        state.control.stop()
        state.reporter.post(.stop)
    }

    /// How much the platform lets the monitor see; `nil` in the first moments, until the self-test is done.
    public var mode: MonitorMode? { state.journal.report.mode }

    /// The last 64 stalls, the newest last.
    public var stalls: [StallRecord] { state.journal.records }

    /// Whether no pool of tasks has stood still for two seconds. Never blocks.
    public var readiness: PoolReadiness {
        let severe = state.journal.report.pools.first { $0.stall?.isSevere == true && $0.pool != .overcommit }
        guard let line = severe, let stall = line.stall else { return .ready }
        let culprit = state.journal.records.last { $0.number == stall.number }?.culprits.first?.site
        return .starved(pool: stall.poolName, cause: stall.verdict.cause, culprit: culprit)
    }

    /// How long the pool of tasks that has stood still longest has done so; zero when none does. For a `/livez` that
    /// gives up after some time. Never blocks.
    public var longestStall: Duration {
        let report = state.journal.report
        let stalls = report.pools.filter { $0.pool != .overcommit }.compactMap(\.stall)
        return stalls.map { max(.zero, report.uptime - $0.start) }.max() ?? .zero
    }

    /// The self-test needs the control thread's number, which it has as soon as it runs.
    private static func awaitControl(_ state: MonitorState) {
        while state.control.thread.load(ordering: .acquiring) == 0 {
            if state.stop.wait(atMost: .milliseconds(1)) {
                state.stop.signal()
                return
            }
        }
        state.reporter.post(.selfTest(thread: state.control.thread.load(ordering: .acquiring)))
    }
}
