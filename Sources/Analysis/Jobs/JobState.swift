import Scheduling

/// What is known of a job, and how it changes: no lock, no clock, no task.
struct JobState {
    /// What the runner is told when it asks for the next picture.
    enum Next {
        case item(ImageItem)
        /// There is none now, but there may be.
        case wait
        /// There will be none.
        case end
    }

    let priority: WaitPriority
    private(set) var results: [JobResult] = []
    private(set) var end: JobEnd?
    private(set) var isPaused = false
    private(set) var isReceiving = true
    private(set) var total = 0
    private(set) var failed = 0
    private var spool = Spool()
    /// Bytes of the pictures that are worked on, by their places.
    private var takenOn: [Int: Int] = [:]
    private var takenCount = 0
    private var workedFor = Duration.zero
    /// Since when it has not been paused; nil while it is.
    private var workingSince: ContinuousClock.Instant?

    init(priority: WaitPriority, now: ContinuousClock.Instant) {
        self.priority = priority
        workingSince = now
    }

    /// A picture has come.
    /// - Returns: Whether it is wanted.
    mutating func receive(_ item: ImageItem) -> Bool {
        guard end == nil else { return false }
        spool.append(item)
        total += 1
        return true
    }

    /// No more pictures will come.
    mutating func endReceiving(at now: ContinuousClock.Instant) {
        isReceiving = false
        endIfDone(at: now)
    }

    /// The next picture to take on.
    mutating func next() -> Next {
        guard end == nil else { return .end }
        guard !isPaused else { return .wait }
        if let item = spool.popFirst() {
            takenOn[takenCount] = item.byteCount
            takenCount += 1
            return .item(item)
        }
        return isReceiving ? .wait : .end
    }

    /// A picture has its result. Ignored once the job has ended: a run that was given up has no say any more.
    ///
    /// - Returns: The bytes of the picture, which are free now; nil if it was ignored.
    mutating func finish(_ result: JobResult, at now: ContinuousClock.Instant) -> Int? {
        guard end == nil, let bytes = takenOn.removeValue(forKey: result.index) else { return nil }
        results.append(result)
        if case .failure = result.outcome.result { failed += 1 }
        endIfDone(at: now)
        return bytes
    }

    mutating func pause(at now: ContinuousClock.Instant) throws(JobError) {
        if let end { throw .hasEnded(end) }
        isPaused = true
        stopTheClock(at: now)
    }

    mutating func resume(at now: ContinuousClock.Instant) throws(JobError) {
        if let end { throw .hasEnded(end) }
        isPaused = false
        workingSince = workingSince ?? now
    }

    /// Gives the job up, unless it has ended.
    /// - Returns: The bytes of the pictures that had no result.
    mutating func cancel(at now: ContinuousClock.Instant) -> Int {
        guard end == nil else { return 0 }
        end = .cancelled
        stopTheClock(at: now)
        defer { takenOn = [:] }
        return takenOn.values.reduce(spool.removeAll(), +)
    }

    func progress(at now: ContinuousClock.Instant) -> JobProgress {
        let done = results.count - failed
        let time = (workedFor + (workingSince.map { now - $0 } ?? .zero)) / .seconds(1)
        return JobProgress(
            state: state, priority: priority, total: total, done: done, failed: failed,
            cancelled: end == .cancelled ? total - results.count : 0,
            rate: results.isEmpty || time <= 0 ? nil : Double(results.count) / time)
    }

    private var state: JobProgress.State {
        switch end {
        case .finished: .finished
        case .cancelled: .cancelled
        case nil: isPaused ? .paused : isReceiving ? .receiving : .running
        }
    }

    private mutating func endIfDone(at now: ContinuousClock.Instant) {
        guard !isReceiving, results.count == total, end == nil else { return }
        end = .finished
        stopTheClock(at: now)
    }

    private mutating func stopTheClock(at now: ContinuousClock.Instant) {
        workedFor += workingSince.map { now - $0 } ?? .zero
        workingSince = nil
    }
}

extension JobState {
    /// Pictures in the order they came, taken from the front.
    private struct Spool {
        private var items: [ImageItem?] = []
        private var head = 0

        mutating func append(_ item: ImageItem) {
            items.append(item)
        }

        mutating func popFirst() -> ImageItem? {
            guard head < items.count else { return nil }
            defer {
                items[head] = nil
                head += 1
                if head == items.count { self = Spool() }
            }
            return items[head]
        }

        /// - Returns: The bytes that it held.
        mutating func removeAll() -> Int {
            defer { self = Spool() }
            return items[head...].reduce(0) { $0 + ($1?.byteCount ?? 0) }
        }
    }
}
