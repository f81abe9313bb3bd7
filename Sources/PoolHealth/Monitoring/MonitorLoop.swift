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
    private static let lateProbe = Duration.milliseconds(250)
    /// Ticks between two questions to a pool that has nothing to do, and between two readings of what changes slowly.
    private static let slowTicks = 10
    /// Ticks between two publications, while nothing is suspected.
    private static let publishingTicks = 5
    /// Threads of a root queue of serial queues, beyond the width, from which on it is asked as often as the others.
    private static let manyThreads = 8

    private let shared: MonitorState
    private let probes = ProbeSet().probes
    private let sampler: ThreadSampler?
    private let stacks = StackReader()
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
    private var createdBefore = [Int](repeating: 0, count: RootQueue.all.count)
    /// By the index of the root queue: whether its threads have anything to do.
    private var busyRoots = [Bool](repeating: true, count: RootQueue.all.count)
    private var workerTimes = WorkerTimes()

    init(shared: MonitorState) {
        self.shared = shared
        let width = max(1, sysconf(Int32(_SC_NPROCESSORS_CONF)))
        self.width = width
        sampler = ThreadSampler(stacks: stacks, width: width)
        detector = StallDetector(width: width)
        explosions = RootQueue.all.map { _ in ExplosionDetector(width: width) }
        report.width = width
        report.quota = host.quota
        stolenBefore = host.stolen()
        for pool in Pool.allCases {
            shared.metrics.width[pool.rawValue].set(Double(width))
            shared.metrics.quota[pool.rawValue].set(host.quota ?? .infinity)
        }
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
        collectAnswers(&observation)
        sampler?.sample(into: &samples)
        count(&observation)
        ask()
        observe(host: &observation)
        survey(&observation)
        for event in detector.observe(observation) { handle(event) }
        accountForStalls(elapsed: began - last)
        watchExplosions()
        if ticks % Self.publishingTicks == 0 || Pool.allCases.contains(where: detector.needsSurvey) {
            publish(observation)
        }
        last = began
        ticks += 1
        shared.metrics.tick.observe(now - began)
    }

    // MARK: Probes

    private func collectAnswers(_ observation: inout Observation) {
        for (index, probe) in probes.enumerated() {
            if report.probes.count <= index {
                report.probes.append(PoolReport.ProbeLine(lane: probe.lane, priority: probe.priority))
            }
            let labels = (probe.lane.rawValue, probe.priority.rawValue)
            if let answer = probe.takeAnswer() {
                let sent = answer.sent - started
                let answered = answer.answered - started
                let latency = answered - sent
                observation.pools[probe.pool.index].answers.append(.init(sent: sent, answered: answered))
                sampler?.witness(thread: answer.thread, of: probe.root)
                shared.metrics.probeLatency[labels.0, labels.1].observe(latency)
                shared.metrics.probes[labels.0, labels.1, latency < Self.lateProbe ? "ok" : "late"].increment()
                report.probes[index].latency = latency
            }
            var age = Duration.zero
            if let since = probe.unansweredSince.map({ $0 - started }) {
                age = max(.zero, observation.now - since)
                let oldest = observation.pools[probe.pool.index].unansweredSince
                observation.pools[probe.pool.index].unansweredSince = min(oldest ?? since, since)
            }
            report.probes[index].age = age
        }
    }

    private func ask() {
        for (index, probe) in probes.enumerated() where isDue(probe, index) { probe.ask() }
    }

    /// A pool whose threads are all parked would answer: to ask it means to wake a thread up for nothing. The threads
    /// were looked at just before, so a pool that has got blocked since the last tick is asked now.
    private func isDue(_ probe: Probe, _ index: Int) -> Bool {
        guard sampler == nil || busyRoots[probe.root.index] || detector.needsSurvey(probe.pool) else {
            return (ticks + index) % Self.slowTicks == 0
        }
        // Serial queues and timers have the same threads, so they take turns.
        switch probe.lane {
        case .task: return true
        case .gcdGlobal, .timer: return ticks % 2 == 0
        case .gcdSerial: return ticks % 2 == 1
        }
    }

    // MARK: Threads

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

    // MARK: Stalls

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
        shared.metrics.stallSeconds[labels.0, labels.1].increment(by: (last - stall.start).inSeconds.clampedToZero)
        let blocked = blockedStacks(of: stall.pool, limit: Self.stacksOfStall)
        let requests = shared.inFlight?.snapshot() ?? []
        shared.reporter.post(
            .began(stall, civil: civil, stacks: blocked, requests: requests, stage: Self.commonStage(requests)))
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
            let stage = shared.inFlight.map { Self.commonStage($0.snapshot()) } ?? "none"
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

    private static func commonStage(_ requests: [InFlightEntry]) -> String {
        Dictionary(requests.map { ($0.stage, 1) }, uniquingKeysWith: +).max { $0.value < $1.value }?.key ?? "none"
    }

    // MARK: Results

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
        let metrics = shared.metrics
        for pool in Pool.allCases {
            let census = observation.pools[pool.index].census
            report.pools[pool.index].census = census
            report.pools[pool.index].stall = detector.stall(of: pool)
            report.pools[pool.index].isAtRisk = detector.isAtRisk(pool)
            let name = pool.rawValue
            metrics.workers[name, "running"].set(Double(census.running))
            metrics.workers[name, "runnable"].set(Double(census.runnable))
            metrics.workers[name, "blocked"].set(Double(census.blocked))
            metrics.workers[name, "parked"].set(Double(census.parked))
            metrics.saturation[name].set(Double(census.busy) / Double(width))
            for wait in WaitKind.allCases {
                metrics.blockedWorkers[name, wait.rawValue].set(Double(report.pools[pool.index].waits[wait] ?? 0))
            }
        }
        for probe in report.probes {
            metrics.probeAge[probe.lane.rawValue, probe.priority.rawValue].set(probe.age.inSeconds)
        }
        workerTimes.flush(into: metrics.workerSeconds)
        publishRoots()
        report.uptime = observation.now
        report.mode = shared.reporter.mode.map { sampler == nil ? .none : $0 }
        report.isParkingKnown = sampler?.parking != nil
        shared.journal.publish(report)
        logMode()
    }

    private func publishRoots() {
        guard let sampler else { return }
        report.threadsPerRoot = sampler.threadsPerRoot
        var inPool = [Int](repeating: 0, count: Pool.allCases.count)
        for root in RootQueue.all {
            let threads = sampler.threadsPerRoot[root.index]
            inPool[root.pool.index] += threads
            shared.metrics.gcdThreads[root.name].set(Double(threads))
            let created = sampler.createdPerRoot[root.index]
            shared.metrics.gcdThreadsCreated[root.name].increment(by: created - createdBefore[root.index])
            createdBefore[root.index] = created
        }
        for pool in Pool.allCases { shared.metrics.rootThreads[pool.rawValue].set(Double(inPool[pool.index])) }
    }

    /// Once, as soon as everything is known.
    private func logMode() {
        guard !modeIsLogged, let mode = report.mode, report.isParkingKnown || ticks >= Self.modeDeadline
        else { return }
        modeIsLogged = true
        for other in MonitorMode.allCases { shared.metrics.mode[other.rawValue].set(other == mode ? 1 : 0) }
        shared.logger.log(
            mode == .full && report.isParkingKnown ? .info : .warning, event: "pool_monitor",
            fields: [
                "mode": .string(mode.rawValue), "width": .integer(width),
                "parking": .string(report.isParkingKnown ? "known" : "guessed"),
            ])
    }
}

extension Double {
    fileprivate var clampedToZero: Double { Swift.max(0, self) }
}
