import Scheduling
import Threads

/// Pictures that are worked on while nobody holds a connection, and their results.
///
/// Its run is a task of its own, which only ever touches this object: a job that takes another one's name shares nothing
/// with it, so that a run that was given up can't reach its successor.
public final class Job: Sendable {
    /// What it is called.
    public let id: String
    private let budget: JobBudget
    private let state: Locked<JobState>
    private let changes = ChangeSignal()
    private let cause = CancellationCause()
    /// The run, from the moment it is started.
    private let run = Locked<Task<Void, Never>?>(nil)

    init(id: String, priority: WaitPriority, budget: JobBudget) {
        self.id = id
        self.budget = budget
        state = Locked(JobState(priority: priority, now: .now))
    }

    /// How far it is.
    public var progress: JobProgress { state.withLock { $0.progress(at: .now) } }

    /// How it ended; nil while it has not.
    public var end: JobEnd? { state.withLock { $0.end } }

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
    /// - Returns: at least one; nil if there will be no more.
    /// - Throws: `CancellationError`.
    public func results(after count: Int) async throws -> ArraySlice<JobResult>? {
        while true {
            let version = changes.version
            let (found, hasEnded) = state.withLock { ($0.results.dropFirst(count), $0.end != nil) }
            if !found.isEmpty { return found }
            if hasEnded { return nil }
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
    /// - Parameter makeRoom: As for ``JobBudget/take(picture:makeRoom:)``.
    /// - Throws: ``JobError``, `CancellationError`.
    func receive(_ item: ImageItem, makeRoom: () -> Bool) async throws {
        try await budget.take(picture: item.byteCount, makeRoom: makeRoom)
        guard state.withLock({ $0.receive(item) }) else {
            budget.giveBack(picture: item.byteCount)
            throw JobError.cancelled
        }
        changes.advance()
    }

    /// All pictures have come: the job ends with the last of them.
    public func endReceiving() {
        change { $0.endReceiving(at: .now) }
    }

    /// Gives the job up, unless it has ended. Its results stay until they are forgotten.
    func cancel(for reason: CancellationCause.Reason) {
        budget.giveBack(picture: state.withLock { $0.cancel(at: .now) })
        cause.declare(reason)
        run.withLock { $0 }?.cancel()
        changes.advance()
    }

    /// Gives back what the results take; called once, when nobody can ask for them any more.
    func forget() {
        budget.giveBack(results: state.withLock { $0.results.reduce(0) { $0 + $1.byteCount } })
    }

    private func finish(_ result: JobResult) {
        guard let pictureBytes = state.withLock({ $0.finish(result, at: .now) }) else { return }
        budget.exchange(picture: pictureBytes, forResult: result.byteCount)
        changes.advance()
    }

    private func change<Failure: Error>(_ body: (inout JobState) throws(Failure) -> Void) throws(Failure) {
        try state.withLock { state throws(Failure) in try body(&state) }
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
