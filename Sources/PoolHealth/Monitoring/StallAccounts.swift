import Telemetry

/// Tells everybody about stalls: metrics, the ledger of culprits, the reporter. Used by the monitor's thread only.
final class StallAccounts {
    /// Stacks that are taken at the beginning of a stall.
    private static let stacksOfStall = 32
    /// Stacks that are taken at each tick from then on.
    private static let stacksOfTick = 8

    private let shared: MonitorState
    private let workers: WorkerWatch
    private let started: Duration
    /// Stalls at whose beginning no stack could be read, and none since.
    private var unexplained: Set<Int> = []

    /// - Parameter started: what instants of stalls count from, on the monotonic clock.
    init(shared: MonitorState, workers: WorkerWatch, started: Duration) {
        self.shared = shared
        self.workers = workers
        self.started = started
    }

    private var now: Duration { Clock.monotonic() - started }

    /// - Parameters:
    ///   - last: when the tick before was.
    ///   - lanes: what the program's own lanes are doing.
    func handle(_ event: StallEvent, last: Duration, lanes: [LaneLine]) {
        let metrics = shared.metrics
        switch event {
        case .riskBegan(let pool):
            metrics.atRisk[pool.rawValue].set(1)
            shared.logger.log(.warning, event: "pool_at_risk", fields: ["pool": .string(pool.rawValue)])
        case .riskEnded(let pool):
            metrics.atRisk[pool.rawValue].set(0)
        case .began(let stall):
            begin(stall, lanes)
            // What comes after the tick before is added as to every stall that goes on.
            metrics.stallSeconds[stall.poolName, stall.verdict.cause.rawValue]
                .increment(by: max(.zero, last - stall.start).inSeconds)
        case .explained(let stall, let former):
            metrics.stallActive[stall.poolName, former.rawValue].set(0)
            metrics.stallActive[stall.poolName, stall.verdict.cause.rawValue].set(1)
            metrics.stallStart[stall.poolName, stall.verdict.cause.rawValue].set(civilStart(of: stall).inSeconds)
            shared.reporter.post(.explained(stall))
        case .becameSevere(let stall):
            shared.reporter.post(.becameSevere(stall))
        case .ended(let stall):
            end(stall, lanes)
        }
    }

    /// Since 1970.
    private func civilStart(of stall: Stall) -> Duration { Clock.civil() - (now - stall.start) }

    private func begin(_ stall: Stall, _ lanes: [LaneLine]) {
        let age = now - stall.start
        workers.refreshImages()
        let labels = (stall.poolName, stall.verdict.cause.rawValue)
        let civil = civilStart(of: stall)
        // A pause is noticed when it is over: nobody may ever see one that lasts.
        shared.metrics.stallActive[labels.0, labels.1].set(stall.duration == nil ? 1 : 0)
        shared.metrics.stallStart[labels.0, labels.1].set(civil.inSeconds)
        shared.metrics.stalls[labels.0, labels.1].increment()
        // Nobody in the process is to blame for a pause of all of it.
        let blocked = stall.pool.map { workers.blockedStacks(of: $0, limit: Self.stacksOfStall) } ?? []
        if blocked.isEmpty, stall.pool != nil { unexplained.insert(stall.number) }
        let requests = shared.inFlight?.snapshot() ?? []
        let record = StallRecord(
            stall, began: civil, lanes: lanes, requests: Array(requests.prefix(StallReporter.keptRequests)))
        shared.reporter.post(
            .began(
                record, age: age, stacks: blocked, inFlight: requests.count,
                stage: InFlightEntry.commonStage(requests)))
    }

    private func end(_ stall: Stall, _ lanes: [LaneLine]) {
        unexplained.remove(stall.number)
        let labels = (stall.poolName, stall.verdict.cause.rawValue)
        let duration = stall.duration ?? .zero
        if stall.pool == nil {
            begin(stall, lanes)
            shared.metrics.stallSeconds[labels.0, labels.1].increment(by: duration.inSeconds)
        }
        shared.metrics.stallActive[labels.0, labels.1].set(0)
        shared.metrics.stallDuration[labels.0, labels.1].observe(duration)
        shared.reporter.post(.ended(stall))
    }

    /// Adds the time since the last tick to a stall that goes on, and to the places where its threads are.
    ///
    /// - Parameter locates: whether it is the turn of stacks whose places aren't known yet.
    func goOn(_ stall: Stall, elapsed: Duration, locates: Bool) {
        shared.metrics.stallSeconds[stall.poolName, stall.verdict.cause.rawValue].increment(by: elapsed.inSeconds)
        var unknown: [RawStack] = []
        var stacksTaken = 0
        let stage = shared.inFlight.map { InFlightEntry.commonStage($0.snapshot()) } ?? "none"
        for sample in workers.samples where sample.root.pool == stall.pool {
            guard case .blocked = sample.state else { continue }
            let place = shared.reporter.place(of: sample.thread).flatMap { $0.stall == stall.number ? $0 : nil }
            if sample.isFrozen, let place {
                charge(elapsed, to: place, of: stall, stage: stage)
                continue
            }
            // One that has moved may be elsewhere by now, or has only looked whether it may go on.
            guard stacksTaken < Self.stacksOfTick, let stack = workers.stack(of: sample.thread) else { continue }
            stacksTaken += 1
            if let place, place.stack.isInCalls(of: stack) {
                charge(elapsed, to: place, of: stall, stage: stage)
            } else {
                unknown.append(stack)
            }
        }
        locate(unknown, of: stall, isTurn: locates)
        abortIfAsked(stall)
    }

    /// Has places named that aren't known yet; those of the beginning are with the reporter already.
    private func locate(_ stacks: [RawStack], of stall: Stall, isTurn: Bool) {
        guard !stacks.isEmpty else { return }
        let isFirst = unexplained.remove(stall.number) != nil
        guard isFirst || (isTurn && now - stall.start >= .seconds(1)) else { return }
        shared.reporter.post(.located(stall: stall.number, stacks: stacks))
    }

    private func charge(_ elapsed: Duration, to place: StallReporter.Place, of stall: Stall, stage: String) {
        shared.ledger.add(
            elapsed.inSeconds, to: .init(pool: stall.poolName, site: place.site, wait: place.wait, stage: stage))
    }

    private func abortIfAsked(_ stall: Stall) {
        guard let limit = shared.abortAfter, now - stall.start >= limit else { return }
        let record = shared.journal.records.last { $0.number == stall.number }
        Aborting.abort(stall, record: record, lasted: now - stall.start, logger: shared.logger)
    }
}
