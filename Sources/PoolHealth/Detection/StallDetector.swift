/// Turns what the monitor sees, tick by tick, into stalls with a beginning, an end and a cause. No clock, no I/O.
struct StallDetector: Sendable {
    private let thresholds: DetectionThresholds
    private var pools: [PoolDetector]
    private var last: Duration?
    /// The pause that the last tick has found.
    private(set) var pause: ProcessPause?
    private var stalls = 0

    /// - Parameter width: how many tasks of one priority can run at a time.
    init(width: Int, thresholds: DetectionThresholds = DetectionThresholds()) {
        self.thresholds = thresholds
        let rules = VerdictRules(width: width, thresholds: thresholds)
        pools = Pool.allCases.map { PoolDetector(pool: $0, rules: rules) }
    }

    /// Whether a probe of this pool has been waiting for longer than usual.
    func isSuspected(_ pool: Pool) -> Bool { pools[pool.index].isSuspected }

    /// Whether any pool keeps somebody waiting: then the next tick has to see everything.
    var isBusy: Bool { pools.contains(where: \.gathersEvidence) }

    /// Whether the next tick should bring a survey of this pool's blocked threads.
    func needsSurvey(_ pool: Pool) -> Bool { pools[pool.index].gathersEvidence }

    /// The stall that a pool is in.
    func stall(of pool: Pool) -> Stall? { pools[pool.index].stall }

    /// Whether nearly all threads of a pool are blocked.
    func isAtRisk(_ pool: Pool) -> Bool { pools[pool.index].isAtRisk }

    /// Takes note of a tick in which nothing has happened, while nobody waits and nobody is blocked.
    mutating func pass(_ now: Duration) {
        last = now
        pause = nil
    }

    mutating func observe(_ observation: Observation) -> [StallEvent] {
        let before = last ?? observation.now
        last = observation.now
        var events: [StallEvent] = []
        pause = pause(observation, since: before)
        if let pause {
            stalls += 1
            let start = max(.zero, observation.now - pause.length)
            events.append(
                .ended(
                    Stall(
                        number: stalls, pool: nil, start: start, verdict: Verdict(.hostPaused, confidence: 1),
                        isSevere: pause.length >= thresholds.severe, end: observation.now)))
        }
        for index in pools.indices {
            events += pools[index].observe(observation, since: before, pause: pause) {
                stalls += 1
                return stalls
            }
        }
        return events
    }

    /// How long the whole process stood still. A monitor that is late because of the quota, or because others have the
    /// processors, is not paused: then the workers' waiting counts.
    private func pause(_ observation: Observation, since before: Duration) -> ProcessPause? {
        let pause = ProcessPause(
            overslept: max(.zero, observation.oversleep - observation.queued), suspended: observation.suspended,
            end: observation.now)
        let elapsed = observation.now - before + observation.suspended
        guard pause.length >= thresholds.pause, elapsed > .zero,
            observation.throttled / elapsed <= thresholds.throttledShare
        else { return nil }
        return pause
    }
}
