/// Names the cause of a stall from its evidence. The rules are tried in the order in which one hides the next: a
/// process that doesn't run at all looks blocked, and one that is throttled looks saturated.
struct VerdictRules: Sendable {
    /// How many tasks of one priority run at a time, and how many threads can compute: the processors.
    let width: Int
    let thresholds: DetectionThresholds

    private static let half = 0.5

    func verdict(for pool: Pool, _ evidence: StallEvidence) -> Verdict {
        held(evidence) ?? atTheLimit(evidence) ?? blocked(pool, evidence) ?? saturated(evidence)
            ?? crowdedOut(evidence) ?? mixed(pool, evidence) ?? onABusyMachine(evidence)
            ?? Verdict(.unknown, confidence: 0)
    }

    /// What keeps the whole process from running.
    private func held(_ evidence: StallEvidence) -> Verdict? {
        if evidence.isTraced { return Verdict(.hostPaused, confidence: 0.9) }
        let suspendedShare = share(evidence.suspended, evidence)
        if suspendedShare > thresholds.pausedShare { return Verdict(.hostPaused, confidence: 1) }
        let throttledShare = share(evidence.throttled, evidence)
        if throttledShare > thresholds.throttledShare, evidence.share({ $0.ready > 0 }) > 0 {
            return Verdict(.cgroupThrottled, confidence: 0.6 + 0.4 * throttledShare)
        }
        let pausedShare = share(evidence.oversleep - evidence.queued, evidence)
        if pausedShare > thresholds.pausedShare { return Verdict(.hostPaused, confidence: pausedShare) }
        return nil
    }

    private func atTheLimit(_ evidence: StallEvidence) -> Verdict? {
        let share = evidence.share { $0.largestRoot >= RootQueue.threadLimit && $0.largestRootParked == 0 }
        return share >= Self.half ? Verdict(.threadLimit, confidence: share) : nil
    }

    /// Either as many as may run are blocked, or all threads that the root queue has so far, which may be fewer.
    ///
    /// Serial queues get a thread each until the limit is reached: no number of blocked ones below it delays another.
    private func blocked(_ pool: Pool, _ evidence: StallEvidence) -> Verdict? {
        guard pool != .overcommit else { return nil }
        let share = evidence.share { census in
            census.blocked >= width || (census.blocked > 0 && census.ready == 0 && census.parked == 0)
        }
        guard share >= Self.half else { return nil }
        let blocked = evidence.mean(\.blocked)
        // The first look at a thread has nothing to compare with, so the best tick counts.
        let frozen = evidence.census.map { $0.blocked == 0 ? 0 : Double($0.frozen) / Double($0.blocked) }.max() ?? 0
        let confidence = share * (0.7 + 0.3 * min(1, frozen)) * (blocked >= Double(width) ? 1 : 0.9)
        let cause: StallCause = evidence.survey?.isMostlyDispatch == true ? .gcdContention : .blocked
        return Verdict(cause, confidence: confidence)
    }

    private func saturated(_ evidence: StallEvidence) -> Verdict? {
        let share = evidence.share { $0.ready >= width }
        return share >= Self.half ? Verdict(.cpuSaturated, confidence: share) : nil
    }

    /// Others have the processors: even the monitor's own threads waited for one most of the time.
    private func crowdedOut(_ evidence: StallEvidence) -> Verdict? {
        let share = share(evidence.queued, evidence)
        guard share > thresholds.pausedShare else { return nil }
        return byExclusion(.cpuSaturated, confidence: share, evidence)
    }

    /// Nothing of this process explains it, but none of the machine's processors had time to spare.
    private func onABusyMachine(_ evidence: StallEvidence) -> Verdict? {
        let shares = evidence.machineIdleShares
        guard !shares.isEmpty else { return nil }
        let idle = shares.reduce(0, +) / Double(shares.count)
        guard idle < thresholds.busyMachineIdleShare else { return nil }
        return byExclusion(.cpuSaturated, confidence: Self.half * (1 - idle), evidence)
    }

    /// A cause that is named because the pool's own threads don't explain the stall: as sure as those are known.
    private func byExclusion(_ cause: StallCause, confidence: Double, _ evidence: StallEvidence) -> Verdict? {
        let known = evidence.share(\.isKnown)
        return known > 0 ? Verdict(cause, confidence: confidence * known) : nil
    }

    /// Some threads are blocked and the others compute: the larger part is the cause, a blocked one if they are equal,
    /// since computing is what threads are for.
    private func mixed(_ pool: Pool, _ evidence: StallEvidence) -> Verdict? {
        let share = evidence.share { $0.busy >= width || ($0.busy > 0 && $0.parked == 0) }
        guard share >= Self.half else { return nil }
        if evidence.mean(\.blocked) < evidence.mean(\.ready) { return Verdict(.cpuSaturated, confidence: share / 2) }
        guard pool != .overcommit else { return nil }
        let cause: StallCause = evidence.survey?.isMostlyDispatch == true ? .gcdContention : .blocked
        return Verdict(cause, confidence: share / 2)
    }

    private func share(_ part: Duration, _ evidence: StallEvidence) -> Double {
        evidence.elapsed > .zero ? part / evidence.elapsed : 0
    }
}
