import Testing

@testable import PoolHealth

/// Every row of the table of verdicts, with what was seen over a second on two processors.
@Suite struct VerdictRulesTests {
    private let rules = VerdictRules(width: 2, thresholds: DetectionThresholds())

    private func evidence(_ census: PoolCensus, _ change: (inout StallEvidence) -> Void = { _ in }) -> StallEvidence {
        var evidence = StallEvidence()
        evidence.elapsed = .seconds(1)
        evidence.census = [PoolCensus](repeating: census, count: 10)
        change(&evidence)
        return evidence
    }

    private func census(
        running: Int = 0, runnable: Int = 0, blocked: Int = 0, parked: Int = 0, frozen: Int = 0, largestRoot: Int = 2
    ) -> PoolCensus {
        PoolCensus(
            running: running, runnable: runnable, blocked: blocked, parked: parked, frozen: frozen,
            largestRoot: largestRoot)
    }

    private func cause(_ evidence: StallEvidence, pool: Pool = .default) -> StallCause {
        rules.verdict(for: pool, evidence).cause
    }

    @Test func allThreadsAsleepInTheirJobsAreBlocked() {
        let verdict = rules.verdict(for: .default, evidence(census(blocked: 2, parked: 3, frozen: 2)))
        #expect(verdict == Verdict(.blocked, confidence: 1))
    }

    @Test func threadsThatStirAreBlockedWithLessConfidence() {
        let verdict = rules.verdict(for: .default, evidence(census(blocked: 2)))
        #expect(verdict.cause == .blocked)
        #expect(verdict.confidence < 1)
    }

    @Test func aRootWithFewerThreadsThanTheWidthIsBlockedWhenAllOfThemAre() {
        #expect(cause(evidence(census(blocked: 1, frozen: 1, largestRoot: 1))) == .blocked)
        #expect(cause(evidence(census(blocked: 1, parked: 1))) == .unknown)
    }

    @Test func blocksOfDispatchAreContention() {
        let full = evidence(census(blocked: 5, frozen: 5)) { $0.survey = JobSurvey(ofSwift: 1, ofDispatch: 4) }
        #expect(cause(full) == .gcdContention)
        let tasks = evidence(census(blocked: 5, frozen: 5)) { $0.survey = JobSurvey(ofSwift: 2, ofDispatch: 2) }
        #expect(cause(tasks) == .blocked)
    }

    @Test func computingThreadsAreSaturation() {
        #expect(cause(evidence(census(running: 1, runnable: 1))) == .cpuSaturated)
        #expect(cause(evidence(census(running: 2, parked: 1)), pool: .overcommit) == .cpuSaturated)
    }

    @Test func throttlingGoesBeforeSaturation() {
        let throttled = evidence(census(runnable: 2)) { $0.throttled = .milliseconds(890) }
        #expect(cause(throttled) == .cgroupThrottled)
        let little = evidence(census(runnable: 2)) { $0.throttled = .milliseconds(90) }
        #expect(cause(little) == .cpuSaturated)
    }

    @Test func throttlingOfOthersDoesNotExplainBlockedThreads() {
        let blocked = evidence(census(blocked: 2, frozen: 2)) { $0.throttled = .milliseconds(500) }
        #expect(cause(blocked) == .blocked)
    }

    @Test func throttlingAlsoHoldsUpTheMonitor() {
        let throttled = evidence(census(runnable: 2)) {
            $0.throttled = .milliseconds(890)
            $0.oversleep = .milliseconds(800)
        }
        #expect(cause(throttled) == .cgroupThrottled)
    }

    @Test func aMonitorThatWaitsForAProcessorItselfFindsThemBusy() {
        let crowded = evidence(census(parked: 2)) {
            $0.oversleep = .milliseconds(900)
            $0.queued = .milliseconds(880)
        }
        #expect(rules.verdict(for: .default, crowded) == Verdict(.cpuSaturated, confidence: 0.88))
        let blocked = evidence(census(blocked: 2, frozen: 2)) {
            $0.oversleep = .milliseconds(900)
            $0.queued = .milliseconds(880)
        }
        #expect(cause(blocked) == .blocked)
    }

    @Test func whereNothingElseExplainsItAMachineWithoutIdleTimeDoes() {
        let busy = evidence(census(runnable: 1, parked: 2)) { $0.machineIdleShares = [0, 0.02, 0.04] }
        #expect(cause(busy, pool: .overcommit) == .cpuSaturated)
        let idle = evidence(census(runnable: 1, parked: 2)) { $0.machineIdleShares = [0, 0.4] }
        #expect(cause(idle, pool: .overcommit) == .unknown)
    }

    @Test func whereNobodyKnowsTheThreadsABusyMachineExplainsNothing() {
        let blind = evidence(census()) {
            $0.machineIdleShares = [0]
            $0.oversleep = .milliseconds(900)
            $0.queued = .milliseconds(900)
        }
        #expect(cause(blind) == .unknown)
        // A thread that has never been asleep isn't blocked.
        var fresh = PoolCensus()
        fresh.newcomers = 1
        #expect(cause(evidence(fresh) { $0.machineIdleShares = [0] }) == .cpuSaturated)
    }

    @Test func aCauseByExclusionIsAsSureAsTheThreadsAreKnown() {
        let verdict = rules.verdict(
            for: .default,
            evidence(census()) {
                $0.census = [census(), census(), census(), census(parked: 2)]
                $0.queued = .milliseconds(880)
                $0.oversleep = .milliseconds(900)
            })
        #expect(verdict == Verdict(.cpuSaturated, confidence: 0.22))
        #expect(verdict.isProvisional)
    }

    @Test func aMonitorThatIsHeldUpItselfBlamesTheHost() {
        #expect(cause(evidence(census(blocked: 2)) { $0.oversleep = .milliseconds(510) }) == .hostPaused)
        #expect(cause(evidence(census(blocked: 2)) { $0.oversleep = .milliseconds(490) }) == .blocked)
    }

    @Test func aSuspendedMachineOrADebuggerIsAPause() {
        #expect(cause(evidence(census(blocked: 2)) { $0.suspended = .milliseconds(600) }) == .hostPaused)
        #expect(cause(evidence(census(blocked: 2)) { $0.isTraced = true }) == .hostPaused)
    }

    @Test func aRootAtItsLimitIsNamed() {
        let full = census(blocked: 255, frozen: 255, largestRoot: 255)
        #expect(cause(evidence(full), pool: .overcommit) == .threadLimit)
        #expect(cause(evidence(full), pool: .default) == .threadLimit)
    }

    @Test func aFullRootWithIdleThreadsIsNotAtItsLimit() {
        let idle = PoolCensus(blocked: 3, parked: 252, largestRoot: 255, largestRootParked: 252)
        #expect(cause(evidence(idle), pool: .overcommit) == .unknown)
        // Idle threads of another root of the pool don't help.
        let others = PoolCensus(blocked: 64, parked: 3, largestRoot: 255)
        #expect(cause(evidence(others), pool: .overcommit) == .threadLimit)
    }

    @Test func blockedSerialQueuesBelowTheLimitExplainNothing() {
        #expect(cause(evidence(census(blocked: 20, frozen: 20, largestRoot: 20)), pool: .overcommit) == .unknown)
    }

    @Test func aMixtureIsNamedAfterItsLargerPart() {
        let even = rules.verdict(for: .default, evidence(census(running: 1, blocked: 1)))
        #expect(even.cause == .blocked)
        #expect(even.confidence <= 0.5)
        let wide = VerdictRules(width: 8, thresholds: DetectionThresholds())
        #expect(wide.verdict(for: .default, evidence(census(running: 6, blocked: 2))).cause == .cpuSaturated)
        #expect(wide.verdict(for: .default, evidence(census(running: 2, blocked: 6))).cause == .blocked)
    }

    @Test func idleThreadsExplainNothing() {
        #expect(rules.verdict(for: .default, evidence(census(parked: 2))) == Verdict(.unknown, confidence: 0))
        #expect(cause(StallEvidence()) == .unknown)
    }
}
