import Testing

@testable import PoolHealth

/// Runs the detector through ticks of 100 ms, as the monitor does.
@Suite struct StallDetectorTests {
    @Test func calmPoolsHaveNoEvents() {
        var run = DetectorRun()
        run.calm(1000)
        #expect(run.events.isEmpty)
        #expect(Pool.allCases.allSatisfy { !run.detector.isSuspected($0) && !run.detector.needsSurvey($0) })
    }

    @Test func anUnansweredProbeIsASuspicionThenAStall() {
        var run = DetectorRun()
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
        var run = DetectorRun()
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
        var run = DetectorRun()
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
        var run = DetectorRun()
        run.calm(20)
        run.stuck(15)
        run.answer(late: .milliseconds(10))
        run.calm(3)
        #expect(run.stalls.map(\.isSevere) == [false])
    }

    @Test func aSlowBaselineRaisesTheSuspicionButNotTheStall() {
        var run = DetectorRun()
        run.calm(200, latency: .milliseconds(20))
        run.stuck(1)
        #expect(!run.detector.isSuspected(.default))
        #expect(run.detector.needsSurvey(.default))
        run.stuck(2)
        #expect(run.begun.count == 1)
    }

    @Test func aStoppedProcessIsAPauseAndNoStallOfAPool() throws {
        var run = DetectorRun()
        run.calm(20)
        // The probe was out when SIGSTOP came; the monitor wakes three seconds late.
        run.stuck(1)
        run.stuck(1) { $0.pause(seconds: 3) }
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
        var run = DetectorRun()
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
        var run = DetectorRun()
        run.calm(20)
        run.stuck(1) { $0.suspended = .seconds(60) }
        run.answer(late: .milliseconds(1))
        #expect(run.stalls.first?.verdict.cause == .hostPaused)
        #expect(run.begun.isEmpty)
    }

    @Test func aPauseInTheMiddleOfAStallDoesNotEndIt() {
        var run = DetectorRun()
        run.calm(20)
        run.stuck(5)
        run.stuck(1) { $0.pause(seconds: 1) }
        run.stuck(5)
        #expect(run.begun.count == 1)
        #expect(run.detector.stall(of: .default) != nil)
    }

    /// A deadlock that begins on a host that stands still for a moment is a deadlock.
    @Test func aPauseSaysNothingAboutAPoolThatIsBlockedAllTheSame() {
        var run = DetectorRun()
        run.calm(20)
        run.stuck(1)
        run.stuck(1) { $0.pause(seconds: 1) }
        run.stuck(5)
        #expect(run.begun.map(\.verdict.cause) == [.blocked])
        #expect(run.stalls.map(\.pool) == [nil])
        #expect(run.explained.isEmpty)
    }

    /// Probes are sent when a tick has looked at everything, so the one that a pause meets is younger than the tick.
    @Test func aProbeThatWasSentRightBeforeAPauseHasNotWaited() {
        var run = DetectorRun()
        run.calm(20)
        let sent = run.now + .milliseconds(1)
        run.tick(unansweredSince: sent, blocked: 0) { $0.pause(seconds: 3) }
        run.tick(answers: [.init(sent: sent, answered: run.now + .milliseconds(1))], blocked: 0)
        run.calm(5)
        #expect(run.begun.isEmpty)
        #expect(run.stalls.map(\.pool) == [nil])
    }

    /// Several probes of a pool may be out at a time, and the younger ones are met by the pause as well.
    @Test func noProbeThatAPauseHasMetHasWaited() {
        var run = DetectorRun()
        run.calm(20)
        let sent = [run.now + .milliseconds(1), run.now + .milliseconds(1.01)]
        run.tick(unansweredSince: sent[0], blocked: 0) { $0.pause(seconds: 3) }
        let answer = PoolObservation.Answer(sent: sent[0], answered: run.now + .milliseconds(1))
        run.tick(unansweredSince: sent[1], answers: [answer], blocked: 0)
        run.calm(5)
        #expect(run.begun.isEmpty)
        #expect(run.stalls.map(\.pool) == [nil])
    }

    @Test func aPauseInTheMiddleDoesNotCountIntoAStall() throws {
        var run = DetectorRun()
        run.calm(20)
        run.stuck(5)
        run.stuck(1) { $0.pause(seconds: 60) }
        run.stuck(1)
        #expect(run.detector.pause == nil)
        run.answer(late: .milliseconds(10))
        run.calm(3)
        let stall = try #require(run.stalls.first { $0.pool == .default })
        #expect(!stall.isSevere)
        #expect(try #require(stall.duration) < .seconds(1))
    }

    @Test func aPauseAfterTheEndLeavesAStallAsLongAsItWas() throws {
        var run = DetectorRun()
        run.calm(20)
        run.stuck(15)
        run.answer(late: .milliseconds(10))
        run.calm(1)
        run.tick(unansweredSince: run.now + .milliseconds(1), blocked: 0) { $0.pause(seconds: 3) }
        run.calm(5)
        let stall = try #require(run.stalls.first { $0.pool == .default })
        #expect(try #require(stall.duration) > .seconds(1.5))
        #expect(try #require(stall.duration) < .seconds(1.7))
    }

    @Test func aThreadThatSleepsThroughAPauseIsNoRisk() {
        var run = DetectorRun()
        run.calm(5)
        run.calm(2, blocked: 1)
        run.tick(blocked: 1) { $0.pause(seconds: 3) }
        #expect(!run.detector.isAtRisk(.default))
        run.calm(1)
        #expect(run.events.allSatisfy { if case .ended = $0 { true } else { false } })
    }

    /// The clock of the probes stands still with the machine, so they have nothing to be forgiven.
    @Test func aStallAfterASuspensionIsSeenAsSoon() {
        var run = DetectorRun()
        run.calm(20)
        run.stuck(1) { $0.suspended = .seconds(60) }
        run.stuck(3)
        #expect(run.begun.map(\.verdict.cause) == [.blocked])
    }

    @Test func aThrottledMonitorDoesNotExcuseTheWait() {
        var run = DetectorRun()
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
        var run = DetectorRun()
        run.calm(20)
        run.stuck(4, blocked: 0)
        #expect(run.begun.first?.verdict.cause == .unknown)
        run.stuck(20, blocked: 2)
        #expect(run.explained.map(\.cause) == [.blocked])
        #expect(run.explained.map(\.former) == [.unknown])
    }

    @Test func aGuessGivesWayToABetterVerdict() {
        var run = DetectorRun()
        run.calm(20)
        run.stuck(4, blocked: 0) {
            $0.machineIdleShare = 0
            $0.pools[Pool.default.index].census.parked = 2
        }
        #expect(run.begun.map(\.verdict) == [Verdict(.cpuSaturated, confidence: 0.5)])
        run.stuck(20, blocked: 2)
        #expect(run.explained.map(\.cause) == [.blocked])
        #expect(run.explained.map(\.former) == [.cpuSaturated])
        #expect(run.detector.stall(of: .default)?.verdict.isProvisional == false)
    }

    @Test func aSureVerdictStays() {
        var run = DetectorRun()
        run.calm(20)
        run.stuck(4, blocked: 2)
        run.stuck(20, blocked: 0, running: 2)
        #expect(run.explained.isEmpty)
        #expect(run.detector.stall(of: .default)?.verdict.cause == .blocked)
    }

    @Test func nearlyAllThreadsBlockedForHalfASecondAreARisk() {
        var run = DetectorRun()
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
        var run = DetectorRun()
        for _ in 0..<20 {
            run.calm(4, blocked: 2)
            run.calm(1)
        }
        #expect(run.events.isEmpty)
    }

    @Test func stallsAreCounted() {
        var run = DetectorRun()
        for _ in 0..<3 {
            run.calm(20)
            run.stuck(5)
            run.answer(late: .milliseconds(10))
        }
        run.calm(5)
        #expect(run.stalls.map(\.number) == [1, 2, 3])
    }
}

extension Observation {
    /// The process stood still since the tick before, and so the monitor wakes late.
    fileprivate mutating func pause(seconds: Int) {
        now += .seconds(seconds)
        oversleep = .seconds(seconds)
    }
}
