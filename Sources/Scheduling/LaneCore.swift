import Threads

/// What a lane and its threads share: the line of jobs. The threads hold this and not the ``Lane``, so that a lane
/// nobody uses any more can go away and close it.
final class LaneCore: Sendable {
    struct Job: Sendable {
        /// Does the work and gives back how to deliver its result, which happens after the lane's books are right.
        let perform: @Sendable () -> Delivery
    }

    typealias Delivery = @Sendable () -> Void
    typealias Ticket = WaitingLine<Job>.Ticket

    private struct State {
        var line = WaitingLine<Job>()
        var running = 0
        var threads = 0
        var isClosed = false
        var awaitingEnd: [CheckedContinuation<Void, Never>] = []
    }

    /// Guards the line and the counts. No job, no continuation and no wait happens while it is held.
    private let state = Locked(State())

    /// One signal for each job that entered the line, and one for each thread when the lane is closed.
    private let wakeUps = ThreadSemaphore()
    /// What a monitor knows the threads by.
    private let crew: ThreadRoll.Crew

    init(name: String) {
        crew = ThreadRoll.Crew(name: name, idlePlace: wakeUps)
    }

    var queued: Int { state.withLock { $0.line.count } }
    var running: Int { state.withLock { $0.running } }

    func startThread(name: String) throws(ThreadStartError) {
        state.withLock { $0.threads += 1 }
        do {
            try OwnThread.start(name: name, crew: crew) { self.work() }
        } catch {
            threadEnded()
            throw error
        }
    }

    /// Puts a job at the end of the line; `nil` if the lane is closed.
    func enqueue(_ job: Job) -> Ticket? {
        let ticket = state.withLock { state in
            state.isClosed ? nil : state.line.append(job)
        }
        if ticket != nil {
            wakeUps.signal()
        }
        return ticket
    }

    /// Takes a job out of the line; whether it was still there.
    func remove(_ ticket: Ticket) -> Bool {
        state.withLock { $0.line.remove(ticket) } != nil
    }

    func close() {
        let threads = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed ? 0 : state.threads
        }
        for _ in 0..<threads {
            wakeUps.signal()
        }
    }

    nonisolated(nonsending) func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                guard state.threads > 0 else { return true }
                state.awaitingEnd.append(continuation)
                return false
            }
            if hasEnded {
                continuation.resume()
            }
        }
    }

    /// A thread's whole life.
    private func work() {
        while true {
            switch next() {
            case .job(let job): perform(job)
            case .sleep: wakeUps.wait()
            case .end: return threadEnded()
            }
        }
    }

    private enum Step {
        case job(Job)
        case sleep
        case end
    }

    private func next() -> Step {
        state.withLock { state in
            if let job = state.line.removeHead() {
                state.running += 1
                return .job(job)
            }
            return state.isClosed ? .end : .sleep
        }
    }

    private func perform(_ job: Job) {
        let deliver = job.perform()
        state.withLock { $0.running -= 1 }
        deliver()
    }

    private func threadEnded() {
        let awaiting = state.withLock { state in
            state.threads -= 1
            guard state.threads == 0 else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.awaitingEnd = [] }
            return state.awaitingEnd
        }
        for continuation in awaiting {
            continuation.resume()
        }
    }
}
