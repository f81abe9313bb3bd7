import Telemetry
import Threads

/// Breaks a pool of this very process before the eyes of a monitor: whether it sees as much on this machine, in this
/// container, as it should.
public enum ChaosDrill {
    /// So long the monitor gets to find out what the platform lets it see.
    private static let preparationLimit = Duration.seconds(5)
    /// So long each thread of the pool sleeps before the fault: not long enough to be noticed as one.
    private static let warmUp = Duration.milliseconds(20)
    /// So long the monitor gets to know the threads: it looks ten times a second, and tells twice a second.
    private static let acquaintanceLimit = Duration.seconds(2)
    /// So long after the fault the pool gets to answer again: some hundred threads have to go first.
    private static let recoveryLimit = Duration.seconds(10)
    /// So long after a fault that was not seen, it will not be seen any more.
    private static let reportLimit = Duration.seconds(1)
    /// How exactly ``ChaosOutcome/seenAfter`` is told.
    private static let resolution = Duration.milliseconds(5)

    /// Starts a monitor, breaks the pool, and waits until the monitor says that it is over. Blocks the calling thread
    /// for the fault's duration and some seconds: not for a task.
    ///
    /// For a process of its own: one that has work to do would stand still, and one that has a monitor would have two.
    ///
    /// - Throws: ``PoolHealthError`` if there can be no monitor.
    public static func run(_ plan: ChaosPlan) throws(PoolHealthError) -> ChaosOutcome {
        let monitor = try PoolMonitor(
            registry: MetricsRegistry(), logger: Logger(format: .text, sink: .discarding))
        defer { monitor.stop() }
        let journal = monitor.state.journal
        wait(atMost: preparationLimit) {
            let report = journal.report
            return report.mode == MonitorMode.none || (report.mode != nil && report.isParkingKnown)
        }

        acquaint(journal, plan)

        let earlier = journal.records.last?.number ?? 0
        func stall() -> StallRecord? {
            journal.records.first { $0.number > earlier && $0.pool == plan.stalledPool.rawValue }
        }
        let began = Clock.monotonic()
        Chaos.start(plan)
        var seenAfter: Duration?
        wait(atMost: plan.duration + recoveryLimit) {
            let stall = stall()
            let elapsed = Clock.monotonic() - began
            if stall != nil, seenAfter == nil { seenAfter = elapsed }
            return stall.map { $0.duration != nil } ?? (elapsed > plan.duration + reportLimit)
        }
        let found = stall()
        return ChaosOutcome(
            plan: plan, report: journal.report, stall: found, seenAfter: seenAfter,
            others: journal.records.filter { $0.number > earlier && $0.number != found?.number })
    }

    /// A server's pool has threads that the monitor has seen asleep; the one of a new process has none, and whose a
    /// thread is that has computed from its birth on can't be told.
    private static func acquaint(_ journal: StallJournal, _ plan: ChaosPlan) {
        let width = journal.report.width
        Chaos.start(ChaosPlan(fault: .sleep, pool: plan.pool, workers: width, duration: warmUp))
        wait(atMost: acquaintanceLimit) { journal.report.pools[plan.pool.index].census.parked >= width }
    }

    private static func wait(atMost limit: Duration, until isDone: () -> Bool) {
        let never = ThreadSemaphore()
        let end = Clock.monotonic() + limit
        while !isDone(), Clock.monotonic() < end { never.wait(atMost: resolution) }
    }
}
