import Telemetry

/// All probes and what they have found out. Used by the monitor's thread only.
final class ProbeBoard {
    private static let lateProbe = Duration.milliseconds(250)
    /// Ticks between two questions to a pool that has nothing to do, at first.
    private static let firstIdleRound = 10
    /// And later: so many that each pool's turn falls on a tick that looks anyway.
    static let idleRound = Pool.ofTasks.count * MonitorLoop.regularTicks

    /// A probe's metrics: looking them up for each answer would cost more than the answer.
    private struct Series {
        let latency: Histogram
        let inTime: Counter
        let late: Counter
    }

    private let probes = ProbeSet().probes
    private let series: [Series]
    /// One for each probe.
    private(set) var lines: [PoolReport.ProbeLine]
    /// Probes that were asked, and whose answer hasn't been taken.
    private var asked = 0

    init(metrics: PoolMetrics) {
        series = probes.map { probe in
            let (lane, priority) = (probe.lane.rawValue, probe.priority.rawValue)
            return Series(
                latency: metrics.probeLatency[lane, priority], inTime: metrics.probes[lane, priority, "ok"],
                late: metrics.probes[lane, priority, "late"])
        }
        lines = probes.map { PoolReport.ProbeLine(lane: $0.lane, priority: $0.priority) }
    }

    /// Whether there is an answer to wait for or to take.
    var isWaiting: Bool { asked > 0 }

    /// Takes the answers that have come, and notes who still waits.
    ///
    /// - Parameters:
    ///   - started: what instants in observations count from.
    ///   - witness: told of each thread that has answered, and which root queue it therefore serves.
    func collect(
        into observation: inout Observation, since started: Duration, witness: (Int32, RootQueue) -> Void
    ) {
        guard isWaiting else { return }
        for (index, probe) in probes.enumerated() {
            if let answer = probe.takeAnswer() {
                asked -= 1
                let sent = answer.sent - started
                let answered = answer.answered - started
                observation.pools[probe.pool.index].answers.append(.init(sent: sent, answered: answered))
                witness(answer.thread, probe.root)
                note(answered - sent, index)
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

    private func note(_ latency: Duration, _ index: Int) {
        series[index].latency.observe(latency)
        (latency < Self.lateProbe ? series[index].inTime : series[index].late).increment()
        lines[index].latency = latency
    }

    /// Whether an idle pool is asked in this tick.
    func isIdleTurn(_ tick: Int, isLearning: Bool) -> Bool {
        IdleTurn(tick: tick, round: Self.idleRound(isLearning)) != nil
    }

    /// Asks those whose turn it is.
    ///
    /// The threads were looked at just before, so a pool that was idle and has got blocked since the last tick is asked
    /// now.
    ///
    /// - Parameters:
    ///   - isLearning: whether there is something to be learned from answers, so that idle pools are asked more often.
    ///   - hasWork: whether a probe's pool has anything to do, or may have.
    func ask(tick: Int, isLearning: Bool, hasWork: (Probe) -> Bool) {
        let idleTurn = IdleTurn(tick: tick, round: Self.idleRound(isLearning))
        for probe in probes {
            let isDue =
                hasWork(probe)
                ? isItsTurn(probe.lane, tick) : idleTurn?.includes(probe.lane, probe.priority) == true
            if isDue, probe.ask() { asked += 1 }
        }
    }

    private static func idleRound(_ isLearning: Bool) -> Int { isLearning ? firstIdleRound : idleRound }

    /// Serial queues and timers have the same threads, so they take turns.
    private func isItsTurn(_ lane: ProbeLane, _ tick: Int) -> Bool {
        switch lane {
        case .task: true
        case .gcdGlobal, .timer: tick % 2 == 0
        case .gcdSerial: tick % 2 == 1
        }
    }
}
