@testable import PoolHealth

/// A pool's probes and threads over time, and the detector that watches them, in ticks of 100 ms as the monitor has.
struct DetectorRun {
    var detector = StallDetector(width: 2)
    var now = Duration.zero
    var unansweredSince: Duration?
    var events: [StallEvent] = []

    /// A tick at which the last probe had been answered, and the next one is sent.
    mutating func calm(_ ticks: Int = 1, latency: Duration = .microseconds(200), blocked: Int = 0) {
        for _ in 0..<ticks {
            let sent = unansweredSince ?? now
            tick(answers: [.init(sent: sent, answered: sent + latency)], blocked: blocked)
            unansweredSince = nil
        }
    }

    /// A tick at which the probe that the first of them sent is still out.
    mutating func stuck(
        _ ticks: Int = 1, blocked: Int = 2, running: Int = 0, change: (inout Observation) -> Void = { _ in }
    ) {
        let since = unansweredSince ?? now
        unansweredSince = since
        for _ in 0..<ticks {
            tick(unansweredSince: since, blocked: blocked, running: running, change: change)
        }
    }

    mutating func tick(
        unansweredSince: Duration? = nil, answers: [PoolObservation.Answer] = [], blocked: Int, running: Int = 0,
        change: (inout Observation) -> Void = { _ in }
    ) {
        now += .milliseconds(100)
        var observation = Observation(now: now)
        observation.pools[Pool.default.index].unansweredSince = unansweredSince
        observation.pools[Pool.default.index].answers = answers
        observation.pools[Pool.default.index].census = PoolCensus(
            running: running, runnable: 0, blocked: blocked, parked: 0, frozen: blocked, largestRoot: 2)
        let before = observation.now
        change(&observation)
        now += observation.now - before
        events += detector.observe(observation)
    }

    /// An answer that comes `late` after the last tick, to the probe that was stuck.
    mutating func answer(late: Duration) {
        let sent = unansweredSince ?? now
        tick(answers: [.init(sent: sent, answered: now + late)], blocked: 0)
        unansweredSince = nil
    }

    var stalls: [Stall] {
        events.compactMap { event in
            if case .ended(let stall) = event { stall } else { nil }
        }
    }

    var begun: [Stall] {
        events.compactMap { event in
            if case .began(let stall) = event { stall } else { nil }
        }
    }

    var explained: [(cause: StallCause, former: StallCause)] {
        events.compactMap { event in
            if case .explained(let stall, let former) = event { (stall.verdict.cause, former) } else { nil }
        }
    }
}
