/// What is known about a pool from the moment its probe went unanswered.
struct StallEvidence: Sendable {
    /// How long the evidence was gathered.
    var elapsed: Duration = .zero
    var oversleep: Duration = .zero
    var queued: Duration = .zero
    /// One for each tick that knows it.
    var machineIdleShares: [Double] = []
    var throttled: Duration = .zero
    var suspended: Duration = .zero
    var isTraced = false
    /// One for each tick.
    var census: [PoolCensus] = []
    var survey: JobSurvey?

    /// Enough for every rule; older ticks say nothing new about a stall that lasts.
    static let maximumTicks = 10

    /// - Parameter pause: what of the time since `last` doesn't count.
    mutating func add(_ observation: Observation, of pool: Pool, since last: Duration, pause: ProcessPause?) {
        let overslept = pause?.overslept ?? .zero
        elapsed += max(.zero, observation.now - last - overslept)
        oversleep += observation.oversleep - overslept
        queued += min(observation.queued, observation.oversleep)
        if let share = observation.machineIdleShare {
            if machineIdleShares.count == Self.maximumTicks { machineIdleShares.removeFirst() }
            machineIdleShares.append(share)
        }
        throttled += observation.throttled
        suspended += observation.suspended - (pause?.suspended ?? .zero)
        isTraced = isTraced || observation.isTraced
        if census.count == Self.maximumTicks { census.removeFirst() }
        census.append(observation.pools[pool.index].census)
        guard let latest = observation.pools[pool.index].survey else { return }
        survey = JobSurvey(
            ofSwift: (survey?.ofSwift ?? 0) + latest.ofSwift, ofDispatch: (survey?.ofDispatch ?? 0) + latest.ofDispatch)
    }

    /// The mean of a count over the ticks.
    func mean(_ count: (PoolCensus) -> Int) -> Double {
        guard !census.isEmpty else { return 0 }
        return Double(census.reduce(0) { $0 + count($1) }) / Double(census.count)
    }

    /// The share of the ticks for which something holds.
    func share(_ holds: (PoolCensus) -> Bool) -> Double {
        guard !census.isEmpty else { return 0 }
        return Double(census.count(where: holds)) / Double(census.count)
    }
}
