import Scheduling
import Threads

/// Pictures that are worked on while nobody holds a connection, and their results.
///
/// Its run is a task of its own, which only ever touches this object: a job that takes another one's name shares
/// nothing with it, so that a run that was given up can't reach its successor.
public final class Job: Sendable {
    /// What it is called.
    public let id: String
    private let budget: JobBudget
    private let account: JobLedger.Account
    private let state: Locked<JobState>
    private let changes = ChangeSignal()
    private let cause = CancellationCause()
    /// The run, from the moment it is started.
    private let run = Locked<Task<Void, Never>?>(nil)

    init(id: String, priority: WaitPriority, budget: JobBudget) {
        self.id = id
        self.budget = budget
        account = budget.open()
        state = Locked(JobState(priority: priority, now: .now))
    }

    /// How far it is.
    public var progress: JobProgress { state.withLock { $0.progress(at: .now) } }

    /// How it ended; nil while it has not.
    public var end: JobEnd? { state.withLock { $0.end } }

    /// Why it was given up or forgotten; nil if it was not.
    public var givenUp: CancellationCause.Reason? { cause.declaration?.reason }

    /// What it does.
    var activity: JobProgress.State { state.withLock { $0.state } }

    /// Since when nothing has been moving; nil while it is worked on or waits for its turn.
    var standsStillSince: ContinuousClock.Instant? { state.withLock { $0.standsStillSince } }

    /// Hands out no further picture until ``resume()``. Those that are being worked on are finished.
    ///
    /// - Throws: ``JobError/hasEnded(_:)``.
    public func pause() throws(JobError) {
        try change { state throws(JobError) in try state.pause(at: .now) }
    }

    /// Goes on after ``pause()``; nothing changes if it is not paused.
    ///
    /// - Throws: ``JobError/hasEnded(_:)``.
    public func resume() throws(JobError) {
        try change { state throws(JobError) in try state.resume(at: .now) }
    }

    /// Waits for results that are not among the first `count`, in the order in which they came about.
    ///
    /// - Returns: at least one, and no more than a few dozen; nil if there will be no more.
    /// - Throws: `CancellationError`; ``JobError/cancelled`` if the job was given up, or forgotten with results that
    ///   are asked for.
    public func results(after count: Int) async throws -> [JobResult]? {
        while true {
            let version = changes.version
            switch try state.withLock({ state throws(JobError) in try state.news(after: count) }) {
            case .results(let results): return results
            case .end: return nil
            case .wait: try await changes.changed(since: version)
            }
        }
    }

    /// Suspends until the job has ended; one that is still being sent only ends by being given up.
    ///
    /// - Throws: `CancellationError`.
    public func waitForEnd() async throws {
        while true {
            let version = changes.version
            guard end == nil else { return }
            try await changes.changed(since: version)
        }
    }

    /// Starts the run.
    ///
    /// An unstructured task, since no other task lives as long as a job: it belongs to the job, which cancels it, and
    /// ends with the job's last picture.
    func start(_ analyzer: Analyzer, onEnd: @escaping @Sendable () -> Void) {
        let urgency = Urgency(priority: state.withLock { $0.priority }, deadline: nil, mayBeRefused: false)
        let task = Task { [cause] in
            await CancellationCause.$current.withValue(cause) {
                // It throws only what ends it: its cancellation.
                try? await analyzer.analyze(stream: Items(job: self), urgency) { index, outcome in
                    self.finish(JobResult(index: index, outcome: outcome))
                }
            }
            onEnd()
        }
        run.withLock { $0 = task }
    }

    /// Suspends until the run has ended.
    func ended() async {
        await run.withLock { $0 }?.value
    }

    /// A picture has come.
    ///
    /// - Parameter makeRoom: As for ``JobBudget/take(picture:of:makeRoom:)``.
    /// - Throws: ``JobError``, `CancellationError`; then the job has to be forgotten.
    func receive(_ item: ImageItem, makeRoom: () -> Bool) async throws {
        state.withLock { $0.announcePicture(at: .now) }
        try await budget.take(picture: item.byteCount, of: account, makeRoom: makeRoom)
        // What was taken for a job that is not there any more has been given back with it.
        guard state.withLock({ $0.receive(item, at: .now) }) else { throw JobError.cancelled }
        changes.advance()
    }

    /// All pictures have come: the job ends with the last of them.
    ///
    /// - Throws: ``JobError/cancelled`` if it was given up before.
    public func endReceiving() throws(JobError) {
        try change { state throws(JobError) in try state.endReceiving(at: .now) }
    }

    /// Gives the job up, unless it has ended, and drops its pictures and results, for those too who still read them.
    ///
    /// - Returns: How far it was.
    @discardableResult
    func forget(for reason: CancellationCause.Reason) -> JobProgress {
        // First, so that whoever sees that it was given up can tell why.
        cause.declare(reason)
        let progress = state.withLock { state in
            state.forget(at: .now)
            return state.progress(at: .now)
        }
        budget.close(account)
        run.withLock { $0 }?.cancel()
        changes.advance()
        return progress
    }

    private func finish(_ result: JobResult) {
        guard let pictureBytes = state.withLock({ $0.finish(result, at: .now) }) else { return }
        budget.exchange(picture: pictureBytes, forResult: result.byteCount, of: account)
        changes.advance()
    }

    private func change(_ body: (inout JobState) throws(JobError) -> Void) throws(JobError) {
        try state.withLock { state throws(JobError) in
            try body(&state)
            // In the same section, so that of two who pause and resume, the last one's word stays here and there.
            budget.setPaused(state.isPaused, account)
        }
        budget.lookAgain()
        changes.advance()
    }

    func next() async throws -> ImageItem? {
        while true {
            let version = changes.version
            switch state.withLock({ $0.next() }) {
            case .item(let item): return item
            case .end: return nil
            case .wait: try await changes.changed(since: version)
            }
        }
    }
}
