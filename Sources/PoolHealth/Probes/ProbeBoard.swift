import Telemetry

/// All probes and what they have found out. Used by the monitor's thread only.
final class ProbeBoard {
    private static let lateProbe = Duration.milliseconds(250)
    /// Ticks between two questions to a pool that has nothing to do; at first, and later.
    private static let firstIdleTicks = 10
    private static let idleTicks = 30

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

    /// Asks those whose turn it is.
    ///
    /// A pool whose threads are all parked would answer: to ask it means to wake threads up for nothing, so it is asked
    /// seldom, and by turns in two of the four ways, which wake one thread of each root queue: two at once would keep two
    /// threads alive, or have Dispatch start and end one each time. The threads were looked at just before, so a pool
    /// that has got blocked since the last tick is asked now.
    ///
    /// - Parameters:
    ///   - isLearning: whether there is something to be learned from answers, so that idle pools are asked more often.
    ///   - hasWork: whether a probe's pool has anything to do, or may have.
    func ask(tick: Int, isLearning: Bool, hasWork: (Probe) -> Bool) {
        let idleTicks = isLearning ? Self.firstIdleTicks : Self.idleTicks
        for probe in probes {
            let isDue = hasWork(probe) ? isItsTurn(probe.lane, tick) : isItsIdleTurn(probe, tick, idleTicks)
            if isDue, probe.ask() { asked += 1 }
        }
    }

    private func isItsIdleTurn(_ probe: Probe, _ tick: Int, _ idleTicks: Int) -> Bool {
        let (round, place) = tick.quotientAndRemainder(dividingBy: idleTicks)
        guard place == probe.priority.index * idleTicks / Pool.ofTasks.count else { return false }
        switch probe.lane {
        case .task, .timer: return round.isMultiple(of: 2)
        case .gcdGlobal, .gcdSerial: return !round.isMultiple(of: 2)
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
