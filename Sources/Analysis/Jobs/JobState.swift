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

    /// What somebody is told who follows the results.
    enum News {
        /// There are more; at least one.
        case results([JobResult])
        /// There are none now, but there may be.
        case wait
        /// There will be none.
        case end
    }

    /// Results that are handed out at a time: a copy, so that whoever reads doesn't share the array that grows, which
    /// would be copied as a whole with the next result.
    private static let resultsAtATime = 64

    let priority: WaitPriority
    /// In the order in which they came about; empty once they are forgotten.
    private var results: [JobResult] = []
    private(set) var end: JobEnd?
    private(set) var isPaused = false
    private(set) var isReceiving = true
    private(set) var total = 0
    private(set) var done = 0
    private(set) var failed = 0
    private var isPictureAtTheDoor = false
    private var spool = Spool()
    /// Bytes of the pictures that are worked on, by their places.
    private var takenOn: [Int: Int] = [:]
    private var takenCount = 0
    private var workedFor = Duration.zero
    /// Since when it has not been paused; nil while it is.
    private var workingSince: ContinuousClock.Instant?
    private var lastChange: ContinuousClock.Instant

    init(priority: WaitPriority, now: ContinuousClock.Instant) {
        self.priority = priority
        workingSince = now
        lastChange = now
    }

    /// Since when nothing has been moving, nor will before somebody does something: it has ended, is paused, or waits
    /// for its next picture to be sent. Nil while it is worked on or waits for its turn.
    var standsStillSince: ContinuousClock.Instant? {
        let waitsForPictures = isReceiving && !isPictureAtTheDoor && spool.isEmpty && takenOn.isEmpty
        return end != nil || isPaused || waitsForPictures ? lastChange : nil
    }

    /// A picture has been sent, for which there may be no room yet; ``receive(_:at:)`` follows.
    mutating func announcePicture(at now: ContinuousClock.Instant) {
        isPictureAtTheDoor = true
        lastChange = now
    }

    /// A picture has come.
    /// - Returns: Whether it is wanted.
    mutating func receive(_ item: ImageItem, at now: ContinuousClock.Instant) -> Bool {
        guard end == nil else { return false }
        isPictureAtTheDoor = false
        spool.append(item)
        total += 1
        lastChange = now
        return true
    }

    /// No more pictures will come.
    ///
    /// - Throws: ``JobError/cancelled``.
    mutating func endReceiving(at now: ContinuousClock.Instant) throws(JobError) {
        guard end != .cancelled else { throw .cancelled }
        isReceiving = false
        lastChange = now
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
        switch result.outcome.result {
        case .success: done += 1
        case .failure: failed += 1
        }
        lastChange = now
        endIfDone(at: now)
        return bytes
    }

    mutating func pause(at now: ContinuousClock.Instant) throws(JobError) {
        if let end { throw .hasEnded(end) }
        guard !isPaused else { return }
        isPaused = true
        stopTheClock(at: now)
    }

    mutating func resume(at now: ContinuousClock.Instant) throws(JobError) {
        if let end { throw .hasEnded(end) }
        guard isPaused else { return }
        isPaused = false
        workingSince = now
        lastChange = now
    }

    /// The results after the first `count`.
    ///
    /// - Throws: ``JobError/cancelled`` if the job was given up, or forgotten with results that are asked for.
    func news(after count: Int) throws(JobError) -> News {
        guard end != .cancelled else { throw .cancelled }
        guard count < ended else { return end == nil ? .wait : .end }
        guard results.count == ended else { throw .cancelled }
        return .results(Array(results[count...].prefix(Self.resultsAtATime)))
    }

    /// Gives the job up, unless it has ended, and drops its pictures and results.
    mutating func forget(at now: ContinuousClock.Instant) {
        if end == nil { close(.cancelled, at: now) }
        spool = Spool()
        takenOn = [:]
        results = []
    }

    func progress(at now: ContinuousClock.Instant) -> JobProgress {
        let time = (workedFor + (workingSince.map { now - $0 } ?? .zero)) / .seconds(1)
        return JobProgress(
            state: state, priority: priority, total: total, done: done, failed: failed,
            cancelled: end == .cancelled ? total - ended : 0,
            rate: ended == 0 || time <= 0 ? nil : Double(ended) / time)
    }

    /// Pictures that have a result.
    private var ended: Int { done + failed }

    var state: JobProgress.State {
        switch end {
        case .finished: .finished
        case .cancelled: .cancelled
        case nil: isPaused ? .paused : isReceiving ? .receiving : .running
        }
    }

    private mutating func endIfDone(at now: ContinuousClock.Instant) {
        guard !isReceiving, ended == total, end == nil else { return }
        close(.finished, at: now)
    }

    private mutating func close(_ end: JobEnd, at now: ContinuousClock.Instant) {
        self.end = end
        stopTheClock(at: now)
    }

    private mutating func stopTheClock(at now: ContinuousClock.Instant) {
        workedFor += workingSince.map { now - $0 } ?? .zero
        workingSince = nil
        lastChange = now
    }
}

extension JobState {
    /// Pictures in the order they came, taken from the front.
    private struct Spool {
        private var items: [ImageItem?] = []
        private var head = 0

        var isEmpty: Bool { head == items.count }

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
    }
}
