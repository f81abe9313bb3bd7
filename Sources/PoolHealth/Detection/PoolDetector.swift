/// Follows one pool: calm, suspected, stalled, calm again. No clock, no I/O.
struct PoolDetector: Sendable {
    private let pool: Pool
    private let rules: VerdictRules
    private var thresholds: DetectionThresholds { rules.thresholds }

    private var baseline = LatencyBaseline()
    private var lastAnswer: Duration?
    /// Pauses of the whole process that a probe which is out may have been out in.
    private var pausesOfProbes: [ProcessPause] = []
    private var evidence: StallEvidence?
    private(set) var stall: Stall?
    /// Pauses of the whole process that don't count into the stall.
    private var pausesOfStall: [ProcessPause] = []
    private var lastBadAnswer: Duration?
    private var goodTicks = 0
    private var blockedSince: Duration?
    private(set) var isAtRisk = false

    init(pool: Pool, rules: VerdictRules) {
        self.pool = pool
        self.rules = rules
    }

    /// Whether a probe has been waiting for longer than usual.
    private(set) var isSuspected = false

    /// Whether the next tick should bring a survey of the blocked threads' jobs.
    var gathersEvidence: Bool { evidence != nil }

    /// - Parameters:
    ///   - last: when the tick before was.
    ///   - pause: how long the whole process stood still since then.
    ///   - nextNumber: what a stall that begins now is called.
    mutating func observe(
        _ observation: Observation, since last: Duration, pause: ProcessPause?, nextNumber: () -> Int
    ) -> [StallEvent] {
        let mine = observation.pools[pool.index]
        let age = age(mine, observation.now, pause)
        for answer in mine.answers { take(answer) }

        var events = assessRisk(mine.census, observation.now, pause)
        isSuspected = age >= thresholds.suspicion && age >= suspicion
        // Evidence is gathered before there is a suspicion: where answers are slow anyway, the stall comes right after.
        if age >= thresholds.suspicion || stall != nil {
            evidence = evidence ?? StallEvidence()
            evidence?.add(observation, of: pool, since: last, pause: pause)
        } else {
            evidence = nil
        }
        if stall == nil {
            events += begin(age, observation.now, nextNumber)
        } else {
            events += goOn(mine, observation.now, pause)
        }
        return events
    }

    private var suspicion: Duration {
        // Never above the stall itself: a baseline that has gone bad must not hide one.
        min(thresholds.stall, max(thresholds.suspicion, baseline.percentile99 * thresholds.suspicionFactor))
    }

    /// How long the oldest probe that is out has waited while the process ran. The next one may have been out in the
    /// same pauses.
    private mutating func age(_ mine: PoolObservation, _ now: Duration, _ pause: ProcessPause?) -> Duration {
        guard let sent = mine.unansweredSince else {
            pausesOfProbes = []
            return .zero
        }
        pausesOfProbes.removeAll { $0.end <= sent }
        if let pause, pause.overslept > .zero { pausesOfProbes.append(pause) }
        let paused = pausesOfProbes.reduce(Duration.zero) { paused, pause in
            // A probe that is sent within a tick may be younger than the pause that the tick was late by.
            paused + min(pause.overslept, pause.end - sent)
        }
        return max(.zero, now - sent - paused)
    }

    private mutating func take(_ answer: PoolObservation.Answer) {
        if answer.latency >= thresholds.suspicion {
            lastBadAnswer = max(lastBadAnswer ?? .zero, answer.answered)
        } else {
            baseline.add(answer.latency)
            lastAnswer = max(lastAnswer ?? .zero, answer.answered)
        }
    }

    private mutating func begin(_ age: Duration, _ now: Duration, _ nextNumber: () -> Int) -> [StallEvent] {
        guard age >= thresholds.stall, let evidence else { return [] }
        let sent = now - age
        // The pool stopped at some time between the last answer and the probe that has none: the middle is nearest.
        let sinceAnswer = lastAnswer.map { max(.zero, sent - $0) } ?? .zero
        let stall = Stall(
            number: nextNumber(), pool: pool, start: sent - min(sinceAnswer, .milliseconds(100)) / 2,
            verdict: rules.verdict(for: pool, evidence))
        self.stall = stall
        pausesOfStall = []
        goodTicks = 0
        lastBadAnswer = nil
        return [.began(stall)]
    }

    private mutating func goOn(
        _ mine: PoolObservation, _ now: Duration, _ pause: ProcessPause?
    ) -> [StallEvent] {
        guard var current = stall, let evidence else { return [] }
        if let pause {
            current.start += pause.overslept
            pausesOfStall.append(pause)
        }
        var events: [StallEvent] = []
        if current.verdict.isProvisional, isSuspected {
            let former = current.verdict
            let verdict = rules.verdict(for: pool, evidence)
            if verdict.confidence > former.confidence { current.verdict = verdict }
            if current.verdict.cause != former.cause { events.append(.explained(current, former: former.cause)) }
        }
        if !current.isSevere, isSuspected, now - current.start >= thresholds.severe {
            current.isSevere = true
            events.append(.becameSevere(current))
        }
        stall = current
        if isSuspected || mine.answers.contains(where: { $0.latency >= thresholds.suspicion }) {
            goodTicks = 0
        } else if !mine.answers.isEmpty {
            goodTicks += 1
        }
        guard goodTicks >= thresholds.goodTicks else { return events }
        let end = lastBadAnswer ?? now
        for pause in pausesOfStall where pause.start >= end { current.start -= pause.overslept }
        current.end = max(current.start, end)
        stall = nil
        self.evidence = nil
        return events + [.ended(current)]
    }

    private mutating func assessRisk(
        _ census: PoolCensus, _ now: Duration, _ pause: ProcessPause?
    ) -> [StallEvent] {
        guard pool != .overcommit, census.blocked >= max(1, rules.width - 1) else {
            blockedSince = nil
            guard isAtRisk else { return [] }
            isAtRisk = false
            return [.riskEnded(pool)]
        }
        let since = min(now, blockedSince.map { $0 + (pause?.overslept ?? .zero) } ?? now)
        blockedSince = since
        guard !isAtRisk, now - since >= thresholds.risk else { return [] }
        isAtRisk = true
        return [.riskBegan(pool)]
    }
}
