import CLinux
import Glibc
import Synchronization
import Telemetry
import Threads

/// What the monitor's thread does every 100 ms. Only that thread touches it.
///
/// Most ticks find that nothing has happened since the last one, and end there.
final class MonitorLoop {
    static let interval = Duration.milliseconds(100)

    /// Stacks that are taken to survey a suspected pool.
    private static let stacksOfSurvey = 8
    /// Ticks after which the parking places aren't expected to become known any more: the log line about the mode is
    /// written, and no worker is believed to have no job.
    private static let modeDeadline = 50
    /// Ticks between two publications, while nothing is suspected.
    private static let publishingTicks = 5
    /// Of so many ticks one looks even if nothing has happened.
    static let regularTicks = 10
    /// Ticks of a stall between two looks for places that aren't known yet.
    private static let locatingTicks = 5

    private let shared: MonitorState
    private let probes: ProbeBoard
    private let lanes: LaneSampler
    private let workers: WorkerWatch
    private let accounts: StallAccounts
    private var host: HostWatch
    private var detector: StallDetector
    private var explosions: [ExplosionDetector]
    private var activity = ProcessActivity()
    private var report = PoolReport()
    /// Kept for its memory.
    private var observation = Observation(now: .zero)
    private let started = Clock.monotonic()
    private var ticks = 0
    private var planned = Duration.zero
    private var last = Duration.zero
    /// The last tick that looked.
    private var lastLook = Duration.zero
    private var ticksSinceLook = 0
    private var modeIsLogged = false
    private var publisher: PoolPublisher

    init(shared: MonitorState) {
        self.shared = shared
        probes = ProbeBoard(metrics: shared.metrics)
        lanes = LaneSampler(lanes: shared.lanes)
        host = HostWatch(metrics: shared.metrics)
        let width = max(1, sysconf(Int32(_SC_NPROCESSORS_CONF)))
        workers = WorkerWatch(width: width)
        accounts = StallAccounts(shared: shared, workers: workers, started: started)
        detector = StallDetector(width: width)
        explosions = RootQueue.all.map { _ in ExplosionDetector(width: width) }
        publisher = PoolPublisher(metrics: shared.metrics, lanes: shared.lanes)
        report.width = width
        report.quota = host.quota
        publisher.publishOnce(width: width, quota: host.quota)
    }

    /// Until it is stopped.
    func run() {
        planned = now
        last = planned
        lastLook = planned
        host.watch(threads: [clinux_thread_id(), shared.control.thread.load(ordering: .acquiring)])
        while true {
            let late = max(.zero, now - planned)
            tick(late: late)
            planned += Self.interval
            if now > planned {
                let missed = (now - planned) / Self.interval
                shared.metrics.missedTicks.increment(by: missed.rounded(.down))
                planned = now
            }
            if shared.stop.wait(atMost: planned - now) { return }
        }
    }

    private var now: Duration { Clock.monotonic() - started }

    private func tick(late: Duration) {
        let began = now
        shared.metrics.controlDelay.observe(late)
        ticksSinceLook += 1
        let somethingRan = activity.othersMayHaveRun()
        let suspended = host.suspendedTime()
        if somethingRan || suspended > .zero || late >= Self.interval || hasToLook {
            look(began, late: late, suspended: suspended, somethingRan: somethingRan)
            lastLook = began
            ticksSinceLook = 0
        } else {
            detector.pass(began)
            host.pass(late: late)
        }
        last = began
        ticks += 1
        shared.metrics.tick.observe(now - began)
    }

    /// Whether there is something to find out although nothing has happened.
    private var hasToLook: Bool {
        probes.isWaiting || detector.isBusy || !workers.areCalm || isRegular
            || probes.isIdleTurn(ticks, isLearning: isLearning)
    }

    /// Whether it is the turn of a look that trusts nothing that was seen before.
    private var isRegular: Bool { ticks % Self.regularTicks == 0 }

    private var isLearning: Bool { workers.canSee && !workers.isParkingKnown }

    private func look(_ began: Duration, late: Duration, suspended: Duration, somethingRan: Bool) {
        let control = shared.control.takeDelay()
        observation.reset(now: began, oversleep: max(late, min(control, began - last)))
        observation.suspended = suspended
        let isUrgent = probes.isWaiting || detector.isBusy
        probes.collect(into: &observation, since: started) { workers.witness(thread: $0, of: $1) }
        if last > lastLook { workers.pass(last - lastLook) }
        workers.look(
            mayHaveChanged: somethingRan || isUrgent || isRegular, relists: isRegular,
            believesGuesses: ticks < Self.modeDeadline)
        workers.count(into: &observation, elapsed: began - last)
        ask()
        host.observe(into: &observation, tick: ticks, elapsed: began - last, isUrgent: detector.isBusy)
        survey()
        let events = detector.observe(observation)
        watchExplosions()
        // Before the events: what the lanes are doing now is kept with a stall that begins.
        if ticks % Self.publishingTicks == 0 || !events.isEmpty || detector.isBusy { publish() }
        for event in events { accounts.handle(event, last: last, lanes: report.lanes) }
        if detector.isBusy { goOn(elapsed: max(.zero, began - last - (detector.pause?.overslept ?? .zero))) }
    }

    private func ask() {
        probes.ask(tick: ticks, isLearning: isLearning) { probe in
            workers.isBusy(probe.root) || detector.needsSurvey(probe.pool)
        }
        // What it takes to answer at the moment is what the probes' answers are compared with.
        if probes.isWaiting { shared.control.ask() }
    }

    private func survey() {
        guard detector.isBusy else { return }
        for pool in Pool.allCases where detector.needsSurvey(pool) {
            observation.isTraced = observation.isTraced || host.isTraced()
            observation.pools[pool.index].survey = workers.survey(pool, limit: Self.stacksOfSurvey)
        }
    }

    private func goOn(elapsed: Duration) {
        for pool in Pool.allCases {
            guard let stall = detector.stall(of: pool) else { continue }
            accounts.goOn(stall, elapsed: elapsed, locates: ticks % Self.locatingTicks == 0)
        }
    }

    private func watchExplosions() {
        report.explosions.removeAll(keepingCapacity: true)
        for (index, threads) in workers.threadsPerRoot.enumerated() {
            guard let kind = explosions[index].observe(threads: threads, ticks: ticksSinceLook) else { continue }
            report.explosions.append("\(RootQueue.all[index].name): \(kind.rawValue), \(threads) threads")
        }
        shared.noteExplosions(report.explosions)
    }

    private func publish() {
        let waits = workers.waits()
        for pool in Pool.allCases {
            report.pools[pool.index].census = observation.pools[pool.index].census
            report.pools[pool.index].waits = waits[pool.index]
            report.pools[pool.index].stall = detector.stall(of: pool)
            report.pools[pool.index].isAtRisk = detector.isAtRisk(pool)
        }
        lanes.sample(now: observation.now)
        report.lanes = lanes.lines
        report.probes = probes.lines
        report.threadsPerRoot = workers.threadsPerRoot
        report.createdPerRoot = workers.createdPerRoot
        report.uptime = observation.now
        report.mode = shared.reporter.mode.map { workers.canSee ? $0 : .none }
        report.isParkingKnown = workers.isParkingKnown
        publisher.publish(report)
        workers.flushTimes(into: shared.metrics.workerSeconds)
        lanes.flushTimes(into: shared.metrics.workerSeconds)
        shared.journal.publish(report)
        logMode()
    }

    /// Once, as soon as everything is known.
    private func logMode() {
        guard !modeIsLogged, let mode = report.mode, report.isParkingKnown || ticks >= Self.modeDeadline
        else { return }
        modeIsLogged = true
        publisher.publish(mode)
        shared.logger.log(
            mode == .full && report.isParkingKnown ? .info : .warning, event: "pool_monitor",
            fields: [
                "mode": .string(mode.rawValue), "width": .integer(report.width),
                "parking": .string(report.isParkingKnown ? "known" : "guessed"),
            ])
    }
}
