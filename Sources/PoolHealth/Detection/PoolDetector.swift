/// Follows one pool: calm, suspected, stalled, calm again. No clock, no I/O.
struct PoolDetector: Sendable {
    private let pool: Pool
    private let rules: VerdictRules
    private var thresholds: DetectionThresholds { rules.thresholds }

    private var baseline = LatencyBaseline()
    private var lastAnswer: Duration?
    /// The probe that is being waited for, and how much of its age was a pause of the whole process.
    private var waitingSince: Duration?
    private var pausedMeanwhile: Duration = .zero
    private var evidence: StallEvidence?
    private(set) var stall: Stall?
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
        _ observation: Observation, since last: Duration, pause: ProcessPause, nextNumber: () -> Int
    ) -> [StallEvent] {
        let mine = observation.pools[pool.index]
        let age = age(mine, observation.now, pause)
        for answer in mine.answers { take(answer) }

        var events = assessRisk(mine.census, observation.now)
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
            events += goOn(mine, observation.now)
        }
        return events
    }

    private var suspicion: Duration {
        // Never above the stall itself: a baseline that has gone bad must not hide one.
        min(thresholds.stall, max(thresholds.suspicion, baseline.percentile99 * thresholds.suspicionFactor))
    }

    /// How long the probe that is out has waited while the process ran.
    private mutating func age(_ mine: PoolObservation, _ now: Duration, _ pause: ProcessPause) -> Duration {
        guard let sent = mine.unansweredSince else {
            waitingSince = nil
            return .zero
        }
        if sent != waitingSince {
            waitingSince = sent
            pausedMeanwhile = .zero
        }
        // Probes are sent at the end of a tick: one that is out now was out in the pause, or has waited for less.
        pausedMeanwhile += min(pause.overslept, max(.zero, now - sent - pausedMeanwhile))
        return max(.zero, now - sent - pausedMeanwhile)
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
        goodTicks = 0
        lastBadAnswer = nil
        return [.began(stall)]
    }

    private mutating func goOn(_ mine: PoolObservation, _ now: Duration) -> [StallEvent] {
        guard var current = stall, let evidence else { return [] }
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
        current.end = max(current.start, lastBadAnswer ?? now)
        stall = nil
        self.evidence = nil
        return events + [.ended(current)]
    }

    private mutating func assessRisk(_ census: PoolCensus, _ now: Duration) -> [StallEvent] {
        guard pool != .overcommit, census.blocked >= max(1, rules.width - 1) else {
            blockedSince = nil
            guard isAtRisk else { return [] }
            isAtRisk = false
            return [.riskEnded(pool)]
        }
        let since = blockedSince ?? now
        blockedSince = since
        guard !isAtRisk, now - since >= thresholds.risk else { return [] }
        isAtRisk = true
        return [.riskBegan(pool)]
    }
}
