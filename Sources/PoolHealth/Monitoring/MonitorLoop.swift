import Glibc
import Telemetry
import Threads

/// What the monitor's thread does every 100 ms. Only that thread touches it.
final class MonitorLoop {
    static let interval = Duration.milliseconds(100)

    /// Stacks that are taken at the beginning of a stall.
    private static let stacksOfStall = 32
    /// Stacks that are taken at each tick from then on, and to survey a suspected pool.
    private static let stacksOfTick = 8
    /// Ticks after which the log line about the mode is written, even if the parking places aren't known.
    private static let modeDeadline = 50
    /// Ticks between two readings of what changes slowly.
    private static let slowTicks = 10
    /// Ticks between two publications, while nothing is suspected.
    private static let publishingTicks = 5
    /// Threads of a root queue of serial queues, beyond the width, from which on it is asked as often as the others.
    private static let manyThreads = 8

    private let shared: MonitorState
    private let probes: ProbeBoard
    private let sampler: ThreadSampler?
    private let stacks = StackReader()
    private let lanes: LaneSampler
    private var host = HostGauges()
    private var detector: StallDetector
    private var explosions: [ExplosionDetector]
    private var samples: [ThreadSample] = []
    private var report = PoolReport()
    private let width: Int
    private let started = Clock.monotonic()
    private var ticks = 0
    private var planned = Duration.zero
    private var last = Duration.zero
    private var modeIsLogged = false
    private var stolenBefore: Double?
    private var publisher: PoolPublisher
    /// By the index of the root queue: whether its threads have anything to do.
    private var busyRoots = [Bool](repeating: true, count: RootQueue.all.count)
    private var workerTimes = WorkerTimes()

    init(shared: MonitorState) {
        self.shared = shared
        probes = ProbeBoard(metrics: shared.metrics)
        lanes = LaneSampler(lanes: shared.lanes)
        let width = max(1, sysconf(Int32(_SC_NPROCESSORS_CONF)))
        self.width = width
        sampler = ThreadSampler(stacks: stacks, width: width)
        detector = StallDetector(width: width)
        explosions = RootQueue.all.map { _ in ExplosionDetector(width: width) }
        publisher = PoolPublisher(metrics: shared.metrics)
        report.width = width
        report.quota = host.quota
        stolenBefore = host.stolen()
        publisher.publishOnce(width: width, quota: host.quota)
    }

    /// Until it is stopped.
    func run() {
        planned = now
        last = planned
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
        let control = shared.control.ask()
        var observation = Observation(now: began, oversleep: max(late, min(control, began - last)))
        shared.metrics.controlDelay.observe(max(late, .zero))
        probes.collect(into: &observation, since: started) { thread, root in
            sampler?.witness(thread: thread, of: root)
        }
        sampler?.sample(into: &samples)
        count(&observation)
        probes.ask(tick: ticks) { probe in
            sampler == nil || busyRoots[probe.root.index] || detector.needsSurvey(probe.pool)
        }
        observe(host: &observation)
        survey(&observation)
        let events = detector.observe(observation)
        for event in events { handle(event) }
        accountForStalls(elapsed: began - last)
        watchExplosions()
        if ticks % Self.publishingTicks == 0 || !events.isEmpty || Pool.allCases.contains(where: detector.needsSurvey) {
            publish(observation)
        }
        last = began
        ticks += 1
        shared.metrics.tick.observe(now - began)
    }

    private func count(_ observation: inout Observation) {
        for index in report.pools.indices { report.pools[index].waits.removeAll(keepingCapacity: true) }
        for root in RootQueue.all {
            let threads = sampler?.threadsPerRoot[root.index] ?? 0
            busyRoots[root.index] = root.isOvercommit && threads > width + Self.manyThreads
        }
        let elapsed = observation.now - last
        for sample in samples {
            let pool = sample.root.pool
            observation.pools[pool.index].census.add(sample)
            workerTimes.add(sample, elapsed: elapsed)
            if case .blocked(let wait) = sample.state { report.pools[pool.index].waits[wait, default: 0] += 1 }
            if !sample.root.isOvercommit, sample.state != .parked { busyRoots[sample.root.index] = true }
        }
        for root in RootQueue.all {
            let threads = sampler?.threadsPerRoot[root.index] ?? 0
            guard threads > observation.pools[root.pool.index].census.largestRoot else { continue }
            observation.pools[root.pool.index].census.largestRoot = threads
            observation.pools[root.pool.index].census.largestRootParked = samples.count {
                $0.root == root && $0.state == .parked
            }
        }
    }

    private func observe(host observation: inout Observation) {
        observation.suspended = host.suspendedTime()
        shared.metrics.suspended.increment(by: observation.suspended.inSeconds)
        let isSlowTurn = ticks % Self.slowTicks == 0
        if host.quota != nil || isSlowTurn {
            observation.throttled = host.throttled()
            shared.metrics.throttled.increment(by: observation.throttled.inSeconds)
        }
        if isSlowTurn, let stolen = host.stolen() {
            shared.metrics.stolen.increment(by: max(0, stolen - (stolenBefore ?? stolen)))
            stolenBefore = stolen
        }
    }

    private func survey(_ observation: inout Observation) {
        for pool in Pool.allCases where detector.needsSurvey(pool) {
            observation.isTraced = observation.isTraced || host.isTraced()
            var survey = JobSurvey()
            for stack in blockedStacks(of: pool, limit: Self.stacksOfTick) {
                if stacks.isSwiftJob(stack) { survey.ofSwift += 1 } else { survey.ofDispatch += 1 }
            }
            observation.pools[pool.index].survey = survey
        }
    }

    private func blockedStacks(of pool: Pool?, limit: Int) -> [RawStack] {
        var found: [RawStack] = []
        for sample in samples where found.count < limit && (pool == nil || sample.root.pool == pool) {
            guard case .blocked = sample.state, let stack = sampler?.stack(of: sample.thread) else { continue }
            found.append(stack)
        }
        return found
    }

    private func handle(_ event: StallEvent) {
        let metrics = shared.metrics
        switch event {
        case .riskBegan(let pool):
            metrics.atRisk[pool.rawValue].set(1)
            shared.logger.log(.warning, event: "pool_at_risk", fields: ["pool": .string(pool.rawValue)])
        case .riskEnded(let pool):
            metrics.atRisk[pool.rawValue].set(0)
        case .began(let stall):
            begin(stall)
        case .explained(let stall):
            metrics.stallActive[stall.poolName, StallCause.unknown.rawValue].set(0)
            metrics.stallActive[stall.poolName, stall.verdict.cause.rawValue].set(1)
            shared.reporter.post(.changed(stall))
        case .becameSevere(let stall):
            shared.reporter.post(.changed(stall))
        case .ended(let stall):
            end(stall)
        }
    }

    private func begin(_ stall: Stall) {
        stacks.refreshImages()
        let labels = (stall.poolName, stall.verdict.cause.rawValue)
        let civil = Clock.civil() - (now - stall.start)
        shared.metrics.stallActive[labels.0, labels.1].set(1)
        shared.metrics.stallStart[labels.0, labels.1].set(civil.inSeconds)
        shared.metrics.stalls[labels.0, labels.1].increment()
        shared.metrics.stallSeconds[labels.0, labels.1].increment(by: max(.zero, last - stall.start).inSeconds)
        let blocked = blockedStacks(of: stall.pool, limit: Self.stacksOfStall)
        let requests = shared.inFlight?.snapshot() ?? []
        shared.reporter.post(
            .began(stall, civil: civil, stacks: blocked, requests: requests, stage: InFlightEntry.commonStage(requests))
        )
    }

    private func end(_ stall: Stall) {
        let labels = (stall.poolName, stall.verdict.cause.rawValue)
        let duration = stall.end.map { $0 - stall.start } ?? .zero
        if stall.pool == nil {
            // A pause is noticed when it is over.
            begin(stall)
            shared.metrics.stallSeconds[labels.0, labels.1].increment(by: duration.inSeconds)
        }
        shared.metrics.stallActive[labels.0, labels.1].set(0)
        shared.metrics.stallDuration[labels.0, labels.1].observe(duration)
        shared.reporter.post(.ended(stall))
    }

    /// Adds the time since the last tick to every stall, and to the places where its threads are.
    private func accountForStalls(elapsed: Duration) {
        for pool in Pool.ofTasks + [.overcommit] {
            guard let stall = detector.stall(of: pool) else { continue }
            shared.metrics.stallSeconds[stall.poolName, stall.verdict.cause.rawValue].increment(by: elapsed.inSeconds)
            var unknown: [RawStack] = []
            let stage = shared.inFlight.map { InFlightEntry.commonStage($0.snapshot()) } ?? "none"
            for sample in samples where sample.root.pool == pool {
                guard case .blocked = sample.state else { continue }
                if sample.isFrozen, let place = shared.reporter.place(of: sample.thread), place.stall == stall.number {
                    shared.ledger.add(
                        elapsed.inSeconds,
                        to: .init(pool: pool.rawValue, site: place.site, wait: place.wait, stage: stage))
                } else if unknown.count < Self.stacksOfTick, let stack = sampler?.stack(of: sample.thread) {
                    unknown.append(stack)
                }
            }
            // The stacks of the beginning are with the reporter already.
            if !unknown.isEmpty, now - stall.start >= .seconds(1), ticks % 5 == 0 {
                shared.reporter.post(.located(stall, stacks: unknown))
            }
            abortIfAsked(stall)
        }
    }

    private func abortIfAsked(_ stall: Stall) {
        guard let limit = shared.abortAfter, now - stall.start >= limit else { return }
        let record = shared.journal.records.last { $0.number == stall.number }
        Aborting.abort(stall, record: record, lasted: now - stall.start, logger: shared.logger)
    }

    private func watchExplosions() {
        report.explosions.removeAll(keepingCapacity: true)
        for root in RootQueue.all {
            let threads = sampler?.threadsPerRoot[root.index] ?? 0
            guard let kind = explosions[root.index].observe(threads: threads) else { continue }
            report.explosions.append("\(root.name): \(kind.rawValue), \(threads) threads")
        }
        shared.noteExplosions(report.explosions)
    }

    private func publish(_ observation: Observation) {
        for pool in Pool.allCases {
            report.pools[pool.index].census = observation.pools[pool.index].census
            report.pools[pool.index].stall = detector.stall(of: pool)
            report.pools[pool.index].isAtRisk = detector.isAtRisk(pool)
        }
        lanes.sample(now: observation.now)
        report.lanes = lanes.lines
        report.probes = probes.lines
        report.threadsPerRoot = sampler?.threadsPerRoot ?? []
        report.createdPerRoot = sampler?.createdPerRoot ?? []
        report.uptime = observation.now
        report.mode = shared.reporter.mode.map { sampler == nil ? .none : $0 }
        report.isParkingKnown = sampler?.parking != nil
        publisher.publish(report)
        workerTimes.flush(into: shared.metrics.workerSeconds)
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
                "mode": .string(mode.rawValue), "width": .integer(width),
                "parking": .string(report.isParkingKnown ? "known" : "guessed"),
            ])
    }
}
