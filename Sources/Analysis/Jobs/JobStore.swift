import Scheduling
import Telemetry
import Threads

/// The jobs there are, by their names: bounded in number, bytes and age. In memory only: they are given up with the
/// store.
public final class JobStore: Sendable {
    private struct Entry {
        let job: Job
        /// Looks whether the job has stood still for long enough to be forgotten.
        var expiry: TimerQueue.Ticket?
    }

    private struct Books {
        /// In the order in which they began.
        var entries: [Entry] = []
        var isShutDown = false
        /// Those that were given up by the shutdown.
        var givenUp: [Job] = []

        func index(of id: String) -> Int? { entries.firstIndex { $0.job.id == id } }

        /// - Returns: those that go for it.
        mutating func add(_ job: Job, limit: Int) throws(JobError) -> [Entry] {
            guard !isShutDown else { throw .stopping }
            var removed: [Entry] = []
            if let index = index(of: job.id) { removed.append(entries.remove(at: index)) }
            if entries.count >= limit {
                guard let index = entries.firstIndex(where: { $0.job.end != nil }) else {
                    throw .tooManyJobs(limit: limit)
                }
                removed.append(entries.remove(at: index))
            }
            entries.append(Entry(job: job))
            return removed
        }

        /// - Returns: the jobs that have not ended, and are to be given up.
        mutating func shutDown() -> [Entry] {
            isShutDown = true
            let ended = entries.filter { $0.job.end != nil }
            let underWay = entries.filter { entry in !ended.contains { $0.job === entry.job } }
            entries = ended
            givenUp += underWay.map(\.job)
            return underWay
        }
    }

    private let limits: JobLimits
    private let analyzer: Analyzer
    private let timers: TimerQueue
    private let budget: JobBudget
    private let books = Locked(Books())
    private let ended: CounterFamily

    /// Registers the metrics, once per registry.
    ///
    /// - Parameters:
    ///   - analyzer: What works the pictures off.
    ///   - timers: Where jobs' ages are measured.
    public init(_ limits: JobLimits, analyzer: Analyzer, timers: TimerQueue, registry: MetricsRegistry) {
        self.limits = limits
        self.analyzer = analyzer
        self.timers = timers
        budget = JobBudget(limit: limits.bytes)
        ended = registry.counterFamily(
            "embedd_jobs_ended_total", help: "Jobs that have ended, by how.",
            labels: Label("end", values: JobEnd.allCases.map(\.rawValue), fallback: nil))
        registry.collectedGauges("embedd_jobs", help: "Jobs that are kept, by what they do.", labels: ["state"]) {
            [weak self] in
            let counts = (self?.all ?? []).reduce(into: [:]) { $0[$1.activity, default: 0] += 1 }
            // A job that was given up is not kept.
            return JobProgress.State.allCases.filter { $0 != .cancelled }
                .map { ([$0.rawValue], Double(counts[$0, default: 0])) }
        }
        registry.gauge("embedd_jobs_bytes", help: "What the jobs' waiting pictures and results take.") { [budget] in
            Double(budget.byteCount)
        }
    }

    /// A job's run waits for pictures as long as the job isn't given up; nobody else could do that any more.
    deinit {
        for entry in removeAll() { forget(entry, for: .shutdown) }
    }

    /// All jobs, the oldest first.
    public var all: [Job] { books.withLock { $0.entries.map(\.job) } }

    /// The job of this name, unless there is none, or it was deleted or has been kept for long enough.
    public func job(_ id: String) -> Job? {
        books.withLock { books in books.index(of: id).map { books.entries[$0].job } }
    }

    /// Begins a job and starts its run; its pictures follow with ``receive(_:for:)``. A job that has the same name is
    /// given up, and forgotten.
    ///
    /// It is forgotten once it has stood still for ``JobLimits/age``, whether it has ended or not.
    ///
    /// - Throws: ``JobError/tooManyJobs(limit:)`` if as many as may be are under way, ``JobError/stopping`` after
    ///   ``shutDown()``.
    public func begin(_ id: String, priority: WaitPriority) throws(JobError) -> Job {
        let job = Job(id: id, priority: priority, budget: budget)
        let removed: [Entry]
        do {
            removed = try books.withLock { books throws(JobError) in try books.add(job, limit: limits.count) }
        } catch {
            job.forget(for: .deleted)
            throw error
        }
        for entry in removed { forget(entry, for: .deleted) }
        job.start(analyzer) { [ended] in ended[(job.end ?? .cancelled).rawValue].increment() }
        look(at: job, when: .now + limits.age)
        return job
    }

    /// Hands a picture to a job, waiting until there is memory for it. A job that can't have it is given up and
    /// forgotten.
    ///
    /// - Throws: ``JobError/tooLarge(limitBytes:)``, ``JobError/noRoom(limitBytes:)``, ``JobError/cancelled``;
    ///   `CancellationError`, with which the job stays.
    public func receive(_ item: ImageItem, for job: Job) async throws {
        do {
            try await job.receive(item) { forgetOldestEnded() }
        } catch let error as JobError {
            delete(job, for: .deleted)
            throw error
        }
    }

    /// Gives a job up and forgets it.
    ///
    /// - Returns: How far it was; nil if there is no such job.
    public func delete(_ id: String) -> JobProgress? {
        guard let entry = remove(where: { $0.id == id }) else { return nil }
        return forget(entry, for: .deleted)
    }

    /// Gives up and forgets this very job, should it still be there under its name.
    ///
    /// - Parameter reason: What the work that is given up with it is counted under.
    public func delete(_ job: Job, for reason: CancellationCause.Reason) {
        guard let entry = remove(where: { $0 === job }) else { return }
        forget(entry, for: reason)
    }

    /// Gives all jobs up and forgets them.
    ///
    /// - Returns: How far each was.
    public func deleteAll() -> [(id: String, progress: JobProgress)] {
        removeAll().map { ($0.job.id, forget($0, for: .deleted)) }
    }

    /// Takes no more jobs, and gives up those that have not ended, because the service stops; the results of the others
    /// can still be read. Returns at once; ``ended()`` waits.
    public func shutDown() {
        for entry in books.withLock({ $0.shutDown() }) { forget(entry, for: .shutdown) }
    }

    /// Suspends until the runs have ended of all jobs that ``shutDown()`` has given up.
    public func ended() async {
        for job in books.withLock({ $0.givenUp }) { await job.ended() }
    }

    private func removeAll() -> [Entry] {
        books.withLock { books in
            defer { books.entries = [] }
            return books.entries
        }
    }

    private func remove(where matches: (Job) -> Bool) -> Entry? {
        books.withLock { books in
            books.entries.firstIndex { matches($0.job) }.map { books.entries.remove(at: $0) }
        }
    }

    /// Makes room by forgetting the oldest job that has ended.
    private func forgetOldestEnded() -> Bool {
        guard let entry = remove(where: { $0.end != nil }) else { return false }
        forget(entry, for: .deleted)
        return true
    }

    /// The entry is out of the books: nobody else does this with it.
    @discardableResult
    private func forget(_ entry: Entry, for reason: CancellationCause.Reason) -> JobProgress {
        if let expiry = entry.expiry { timers.cancel(expiry) }
        return entry.job.forget(for: reason)
    }

    /// Forgets the job at the instant, or when it will have stood still for long enough.
    ///
    /// The one timer is looked at again instead of being moved with each picture and each pause: a job that moves has
    /// its age to go from now on, so this never comes too late.
    private func look(at job: Job, when instant: ContinuousClock.Instant) {
        let expiry = timers.schedule(at: instant) { [weak self, weak job] in
            guard let self, let job else { return }
            let due = (job.standsStillSince ?? .now) + limits.age
            guard due <= .now else { return look(at: job, when: due) }
            delete(job, for: .deleted)
        }
        let isKept = books.withLock { books in
            guard let index = books.entries.firstIndex(where: { $0.job === job }) else { return false }
            books.entries[index].expiry = expiry
            return true
        }
        if !isKept { timers.cancel(expiry) }
    }
}
