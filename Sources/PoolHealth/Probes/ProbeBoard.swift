/// All probes and what they have found out. Used by the monitor's thread only.
final class ProbeBoard {
    private static let lateProbe = Duration.milliseconds(250)
    /// Ticks between two questions to a pool that has nothing to do.
    private static let idleTicks = 10

    private let metrics: PoolMetrics
    private let probes = ProbeSet().probes
    /// One for each probe.
    private(set) var lines: [PoolReport.ProbeLine]

    init(metrics: PoolMetrics) {
        self.metrics = metrics
        lines = probes.map { PoolReport.ProbeLine(lane: $0.lane, priority: $0.priority) }
    }

    /// Takes the answers that have come, and notes who still waits.
    ///
    /// - Parameters:
    ///   - started: what instants in observations count from.
    ///   - witness: told of each thread that has answered, and which root queue it therefore serves.
    func collect(
        into observation: inout Observation, since started: Duration, witness: (Int32, RootQueue) -> Void
    ) {
        for (index, probe) in probes.enumerated() {
            if let answer = probe.takeAnswer() {
                let sent = answer.sent - started
                let answered = answer.answered - started
                observation.pools[probe.pool.index].answers.append(.init(sent: sent, answered: answered))
                witness(answer.thread, probe.root)
                note(answered - sent, of: probe, index)
            }
            var age = Duration.zero
            if let since = probe.unansweredSince.map({ $0 - started }) {
                age = max(.zero, observation.now - since)
                let oldest = observation.pools[probe.pool.index].unansweredSince
                observation.pools[probe.pool.index].unansweredSince = min(oldest ?? since, since)
            }
            lines[index].age = age
        }
    }

    private func note(_ latency: Duration, of probe: Probe, _ index: Int) {
        let result = latency < Self.lateProbe ? "ok" : "late"
        metrics.probeLatency[probe.lane.rawValue, probe.priority.rawValue].observe(latency)
        metrics.probes[probe.lane.rawValue, probe.priority.rawValue, result].increment()
        lines[index].latency = latency
    }

    /// Asks those whose turn it is.
    ///
    /// A pool whose threads are all parked would answer: to ask it means to wake a thread up for nothing, so it is asked
    /// once a second. The threads were looked at just before, so a pool that has got blocked since the last tick is
    /// asked now.
    ///
    /// - Parameter hasWork: whether a probe's pool has anything to do, or may have.
    func ask(tick: Int, hasWork: (Probe) -> Bool) {
        for (index, probe) in probes.enumerated() {
            let isDue = hasWork(probe) ? isItsTurn(probe.lane, tick) : (tick + index) % Self.idleTicks == 0
            if isDue { probe.ask() }
        }
    }

    /// Serial queues and timers have the same threads, so they take turns.
    private func isItsTurn(_ lane: ProbeLane, _ tick: Int) -> Bool {
        switch lane {
        case .task: true
        case .gcdGlobal, .timer: tick % 2 == 0
        case .gcdSerial: tick % 2 == 1
        }
    }
}
