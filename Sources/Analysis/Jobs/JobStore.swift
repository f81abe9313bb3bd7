import Scheduling
import Telemetry
import Threads

/// The jobs there are, by their names: bounded in number, bytes and age. In memory only: the service forgets them when it
/// stops.
public final class JobStore: Sendable {
    private struct Entry {
        let job: Job
        /// Forgets the job when it has been kept for long enough; set when it ended.
        var expiry: TimerQueue.Ticket?
    }

    private struct Books {
        /// In the order in which they began.
        var entries: [Entry] = []

        func index(of id: String) -> Int? { entries.firstIndex { $0.job.id == id } }
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
        registry.gaugeFamily(
            "embedd_jobs", help: "Jobs that are kept, by what they do.",
            labels: Label("state", values: JobProgress.State.allCases.map(\.rawValue), fallback: nil)
        ) { [weak self] labels in
            Double(self?.all.filter { [$0.progress.state.rawValue] == labels }.count ?? 0)
        }
        registry.gauge("embedd_jobs_bytes", help: "What the jobs' waiting pictures and results take.") { [budget] in
            Double(budget.byteCount)
        }
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
    /// - Throws: ``JobError/tooManyJobs(limit:)`` if as many as may be are under way.
    public func begin(_ id: String, priority: WaitPriority) throws(JobError) -> Job {
        let job = Job(id: id, priority: priority, budget: budget)
        let removed = books.withLock { books -> [Entry]? in
            var removed: [Entry] = []
            if let index = books.index(of: id) { removed.append(books.entries.remove(at: index)) }
            if books.entries.count >= limits.count {
                guard let index = books.entries.firstIndex(where: { $0.job.end != nil }) else { return nil }
                removed.append(books.entries.remove(at: index))
            }
            books.entries.append(Entry(job: job))
            return removed
        }
        guard let removed else { throw .tooManyJobs(limit: limits.count) }
        for entry in removed { forget(entry, for: .deleted) }
        job.start(analyzer) { [weak self] in self?.runEnded(job) }
        return job
    }

    /// Hands a picture to a job, waiting until there is memory for it.
    ///
    /// - Throws: ``JobError/tooLarge(limitBytes:)``, ``JobError/cancelled``, `CancellationError`.
    public func receive(_ item: ImageItem, for job: Job) async throws {
        try await job.receive(item) { forgetOldestEnded() }
    }

    /// Gives a job up and forgets it.
    ///
    /// - Returns: How far it was; nil if there is no such job.
    public func delete(_ id: String) -> JobProgress? {
        guard let entry = remove(where: { $0.id == id }) else { return nil }
        return forget(entry, for: .deleted)
    }

    /// Gives up and forgets this very job, should it still be there under its name.
    public func delete(_ job: Job) {
        job.cancel(for: .deleted)
        guard let entry = remove(where: { $0 === job }) else { return }
        forget(entry, for: .deleted)
    }

    /// Gives all jobs up and forgets them.
    ///
    /// - Returns: How far each was.
    public func deleteAll() -> [(id: String, progress: JobProgress)] {
        removeAll().map { ($0.job.id, forget($0, for: .deleted)) }
    }

    /// Gives all jobs up because the service stops, and waits until their runs have ended.
    public func stop() async {
        let entries = removeAll()
        for entry in entries { forget(entry, for: .shutdown) }
        for entry in entries { await entry.job.ended() }
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
        entry.job.cancel(for: reason)
        entry.job.forget()
        return entry.job.progress
    }

    private func runEnded(_ job: Job) {
        ended[(job.end ?? .cancelled).rawValue].increment()
        let expiry = timers.schedule(at: .now + limits.age) { [weak self] in
            guard let self, let entry = remove(where: { $0 === job }) else { return }
            forget(entry, for: .deleted)
        }
        let isKept = books.withLock { books in
            guard let index = books.entries.firstIndex(where: { $0.job === job }) else { return false }
            books.entries[index].expiry = expiry
            return true
        }
        if !isKept { timers.cancel(expiry) }
    }
}
