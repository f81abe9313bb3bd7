import Testing

@testable import PoolHealth

/// Runs the detector through ticks of 100 ms, as the monitor does.
@Suite struct StallDetectorTests {
    /// A pool's probes and threads over time, and the detector that watches them.
    private struct Run {
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
    }

    @Test func calmPoolsHaveNoEvents() {
        var run = Run()
        run.calm(1000)
        #expect(run.events.isEmpty)
        #expect(Pool.allCases.allSatisfy { !run.detector.isSuspected($0) && !run.detector.needsSurvey($0) })
    }

    @Test func anUnansweredProbeIsASuspicionThenAStall() {
        var run = Run()
        run.calm(20)
        let sent = run.now
        run.stuck(1)
        #expect(run.detector.isSuspected(.default))
        run.stuck(1)
        #expect(run.begun.isEmpty)
        run.stuck(1)
        #expect(run.begun.count == 1)
        #expect(run.begun.first?.verdict.cause == .blocked)
        // Seen 300 ms after the probe was sent, so at most 400 ms after the pool stopped.
        #expect(run.now - sent == .milliseconds(300))
        #expect(run.detector.stall(of: .default)?.pool == .default)
    }

    @Test func aStallEndsWithTheLateAnswerAfterThreeGoodTicks() throws {
        var run = Run()
        run.calm(20)
        let sent = run.now
        run.stuck(30)
        run.answer(late: .milliseconds(40))
        let answered = run.now - .milliseconds(60)
        run.calm(2)
        #expect(run.stalls.isEmpty)
        run.calm(1)
        let stall = try #require(run.stalls.first)
        let end = try #require(stall.end)
        #expect(end == answered)
        // The pool stopped somewhere between the last answer and the probe.
        #expect(sent - stall.start <= .milliseconds(50))
        #expect(stall.start <= sent)
        #expect(stall.isSevere)
        #expect(run.events.filter { if case .becameSevere = $0 { true } else { false } }.count == 1)
        #expect(run.detector.stall(of: .default) == nil)
    }

    @Test func aBadTickStartsTheCountAgain() {
        var run = Run()
        run.calm(20)
        run.stuck(5)
        run.answer(late: .milliseconds(10))
        run.calm(2)
        run.stuck(1)
        run.answer(late: .milliseconds(10))
        run.calm(2)
        #expect(run.stalls.isEmpty)
        run.calm(1)
        #expect(run.stalls.count == 1)
        #expect(run.begun.count == 1)
    }

    @Test func shortStallsAreNotSevere() {
        var run = Run()
        run.calm(20)
        run.stuck(15)
        run.answer(late: .milliseconds(10))
        run.calm(3)
        #expect(run.stalls.map(\.isSevere) == [false])
    }

    @Test func aSlowBaselineRaisesTheSuspicionButNotTheStall() {
        var run = Run()
        run.calm(200, latency: .milliseconds(20))
        run.stuck(1)
        #expect(!run.detector.isSuspected(.default))
        #expect(run.detector.needsSurvey(.default))
        run.stuck(2)
        #expect(run.begun.count == 1)
    }

    @Test func aStoppedProcessIsAPauseAndNoStallOfAPool() throws {
        var run = Run()
        run.calm(20)
        // The probe was out when SIGSTOP came; the monitor wakes three seconds late.
        run.stuck(1)
        run.stuck(1) {
            $0.now += .seconds(3)
            $0.oversleep = .seconds(3)
        }
        run.answer(late: .milliseconds(1))
        run.calm(5)
        let stall = try #require(run.stalls.first)
        #expect(run.stalls.count == 1)
        #expect(run.begun.isEmpty)
        #expect(stall.pool == nil)
        #expect(stall.verdict.cause == .hostPaused)
        #expect(try #require(stall.end) - stall.start == .seconds(3))
    }

    @Test func aProcessThatOthersKeepOffTheProcessorsIsNotPaused() {
        var run = Run()
        run.calm(20)
        run.stuck(4, blocked: 0, running: 2) {
            $0.now += .milliseconds(280)
            $0.oversleep = .milliseconds(280)
            $0.queued = .milliseconds(270)
        }
        #expect(run.begun.map(\.verdict.cause) == [.cpuSaturated])
        #expect(run.stalls.isEmpty)
    }

    @Test func aSuspendedMachineIsAPause() throws {
        var run = Run()
        run.calm(20)
        run.stuck(1) { $0.suspended = .seconds(60) }
        run.answer(late: .milliseconds(1))
        #expect(run.stalls.first?.verdict.cause == .hostPaused)
        #expect(run.begun.isEmpty)
    }

    @Test func aPauseInTheMiddleOfAStallDoesNotEndIt() {
        var run = Run()
        run.calm(20)
        run.stuck(5)
        run.stuck(1) {
            $0.now += .seconds(1)
            $0.oversleep = .seconds(1)
        }
        run.stuck(5)
        #expect(run.begun.count == 1)
        #expect(run.detector.stall(of: .default) != nil)
    }

    @Test func aThrottledMonitorDoesNotExcuseTheWait() {
        var run = Run()
        run.calm(20)
        run.stuck(6, blocked: 0, running: 2) {
            $0.now += .milliseconds(280)
            $0.oversleep = .milliseconds(280)
            $0.throttled = .milliseconds(340)
        }
        #expect(run.begun.map(\.verdict.cause) == [.cgroupThrottled])
        #expect(run.stalls.isEmpty)
    }

    @Test func anUnknownCauseIsExplainedLater() {
        var run = Run()
        run.calm(20)
        run.stuck(4, blocked: 0)
        #expect(run.begun.first?.verdict.cause == .unknown)
        run.stuck(20, blocked: 2)
        let explained = run.events.compactMap { event -> StallCause? in
            if case .explained(let stall) = event { stall.verdict.cause } else { nil }
        }
        #expect(explained == [.blocked])
    }

    @Test func nearlyAllThreadsBlockedForHalfASecondAreARisk() {
        var run = Run()
        run.calm(5)
        run.calm(5, blocked: 1)
        #expect(run.events.isEmpty)
        run.calm(1, blocked: 1)
        #expect(run.events == [.riskBegan(.default)])
        #expect(run.detector.isAtRisk(.default))
        run.calm(10, blocked: 1)
        run.calm(1)
        #expect(run.events == [.riskBegan(.default), .riskEnded(.default)])
    }

    @Test func aBriefBlockIsNoRisk() {
        var run = Run()
        for _ in 0..<20 {
            run.calm(4, blocked: 2)
            run.calm(1)
        }
        #expect(run.events.isEmpty)
    }

    @Test func stallsAreCounted() {
        var run = Run()
        for _ in 0..<3 {
            run.calm(20)
            run.stuck(5)
            run.answer(late: .milliseconds(10))
        }
        run.calm(5)
        #expect(run.stalls.map(\.number) == [1, 2, 3])
    }
}
