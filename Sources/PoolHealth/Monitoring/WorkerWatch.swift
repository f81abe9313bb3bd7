import Telemetry

/// The threads of the pools as of the last look. Used by the monitor's thread only.
final class WorkerWatch {
    private let width: Int
    private let sampler: ThreadSampler?
    private let stacks = StackReader()
    /// Whether workers are told from other threads by their stacks; otherwise only those are known that have answered.
    private let knowsWorkers = MemoryReader.works()
    private(set) var samples: [ThreadSample] = []
    private var busyRoots = BusyRoots()
    private var hasWork = true
    private var times = WorkerTimes()

    /// - Parameter width: how many tasks of one priority can run at a time.
    init(width: Int) {
        self.width = width
        sampler = ThreadSampler(stacks: stacks, width: width)
    }

    /// Whether there is anything to look at: no `/proc`, no threads.
    var canSee: Bool { sampler != nil }

    /// Whether a thread without a job can be told from one that is blocked in it for sure.
    var isParkingKnown: Bool { sampler?.parking != nil }

    /// Threads of each root queue, by its index; empty if unknown.
    var threadsPerRoot: [Int] { sampler?.threadsPerRoot ?? [] }

    /// Threads that each root queue has got since the start, by its index; empty if unknown.
    var createdPerRoot: [Int] { sampler?.createdPerRoot ?? [] }

    /// Whether a root queue has anything to do, or may have.
    func isBusy(_ root: RootQueue) -> Bool { sampler == nil || !knowsWorkers || busyRoots.contains(root) }

    /// Notes that a thread has just answered a probe on a root queue, which is proof.
    func witness(thread: Int32, of root: RootQueue) {
        sampler?.witness(thread: thread, of: root)
    }

    /// Whether every worker was asleep without a job at the last look, and so is still if nothing has run since.
    var areCalm: Bool { sampler != nil && knowsWorkers && !hasWork }

    /// Looks at every worker.
    ///
    /// - Parameters:
    ///   - mayHaveChanged: whether anything may have run since the last look; if not, a worker that was asleep still
    ///     is.
    ///   - relists: whether threads may have come or gone although their number is the same.
    ///   - believesGuesses: whether a worker that seems to have no job has none, while that can't be told for sure.
    func look(mayHaveChanged: Bool, relists: Bool, believesGuesses: Bool) {
        guard mayHaveChanged || !samples.allSatisfy(\.state.isAsleep) else {
            for index in samples.indices { samples[index].progress = .none }
            return
        }
        guard let sampler else { return }
        sampler.sample(into: &samples, relists: relists)
        busyRoots = BusyRoots(
            samples, threads: sampler.threadsPerRoot, unseen: sampler.unseenPerRoot,
            unidentified: sampler.unidentified, width: width, believesParked: isParkingKnown || believesGuesses)
        hasWork = !busyRoots.isEmpty || samples.contains { $0.state != .parked }
    }

    /// Notes that nothing has run for so long after the last look.
    func pass(_ elapsed: Duration) {
        times.pass(samples, elapsed: elapsed.inSeconds)
    }

    /// Counts what the workers are doing.
    ///
    /// - Parameter elapsed: since the look before, without what was passed.
    func count(into observation: inout Observation, elapsed: Duration) {
        let seconds = elapsed.inSeconds
        for sample in samples {
            observation.pools[sample.root.pool.index].census.add(sample)
            times.add(sample, elapsed: seconds)
        }
        guard let sampler else { return }
        for index in observation.pools.indices { observation.pools[index].census.newcomers = sampler.newcomers }
        for root in RootQueue.all {
            let threads = sampler.threadsPerRoot[root.index]
            guard threads > observation.pools[root.pool.index].census.largestRoot else { continue }
            observation.pools[root.pool.index].census.largestRoot = threads
            observation.pools[root.pool.index].census.largestRootParked = samples.count {
                $0.root == root && $0.state == .parked
            }
        }
    }

    /// Blocked workers of each pool by what they wait for.
    func waits() -> [[WaitKind: Int]] {
        var waits = [[WaitKind: Int]](repeating: [:], count: Pool.allCases.count)
        for sample in samples {
            if case .blocked(let wait) = sample.state { waits[sample.root.pool.index][wait, default: 0] += 1 }
        }
        return waits
    }

    /// Adds the time that the workers have spent since the last call to the metric.
    func flushTimes(into metric: CounterFamily) {
        times.flush(into: metric)
    }

    /// Whose jobs the blocked workers of a pool are in.
    func survey(_ pool: Pool, limit: Int) -> JobSurvey {
        var survey = JobSurvey()
        // A stack without a surely known call, as of a thread that has only just begun a job, tells nothing of the job.
        for stack in blockedStacks(of: pool, limit: limit) where stack.linked < stack.frames.count {
            if stacks.isSwiftJob(stack) { survey.ofSwift += 1 } else { survey.ofDispatch += 1 }
        }
        return survey
    }

    /// The stacks of blocked workers of a pool.
    func blockedStacks(of pool: Pool, limit: Int) -> [RawStack] {
        var found: [RawStack] = []
        for sample in samples where found.count < limit && sample.root.pool == pool {
            guard case .blocked = sample.state, let stack = stack(of: sample.thread) else { continue }
            found.append(stack)
        }
        return found
    }

    /// The stack of a worker that is asleep.
    func stack(of thread: Int32) -> RawStack? { sampler?.stack(of: thread) }

    /// Looks again what is loaded: a library that came later has code too.
    func refreshImages() {
        stacks.refreshImages()
    }
}
