import Threads

/// A fixed number of threads of its own for work that blocks or computes for long.
///
/// A decode on Swift's pool would take one of its few threads from every other task. A lane's threads belong to nobody
/// else, not even to Dispatch, so a lane that is full delays nothing but its own callers.
///
/// Jobs start in the order they came. The lane puts no bound on how many wait: its callers do, with a
/// ``CancellableSemaphore``. The threads are called `name-0`, `name-1`, … and have a stack of 4 MiB; in the
/// `ThreadRoll` they are a crew of the lane's name.
///
/// **Why a job's caller is woken exactly once.** A job is in the line until it is taken out, under the lock, by exactly
/// one of two: a thread, which then runs it and delivers its result (`CancellationError` without running it, if it was
/// cancelled by then), or the cancellation of its task, which delivers `CancellationError`. Both deliver to a
/// ``ResumeOnce``, after the lock is left; it keeps what comes before the task awaits it. Every job that enters the
/// line posts one signal to the threads' semaphore, which remembers it, so a waiting job always has a thread awake or
/// about to wake; the signal of a job that was cancelled wakes a thread that finds nothing and sleeps on.
public final class Lane: Sendable {
    /// The most threads a lane may have: their numbers stay within three digits of the thread's name.
    public static let maximumThreads = 1_000

    /// The longest name, in bytes: Linux allows a thread 15, and `-999` takes four.
    public static let maximumNameLength = 11

    /// What the lane is called in its threads' names and in errors.
    public let name: String

    /// How many threads it has, and so how many jobs run at the same time.
    public let threads: Int

    /// Internal for the tests, which watch it go away.
    let core: LaneCore

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - name: 1 to ``maximumNameLength`` bytes of ASCII without spaces.
    ///   - threads: 1 to ``maximumThreads``.
    /// - Throws: ``ThreadStartError`` if the system gives no thread; those that had started end again.
    public init(name: String, threads: Int) throws(ThreadStartError) {
        precondition(
            name.utf8.count <= Self.maximumNameLength && OwnThread.isValidName(name), "not a lane's name: \(name)")
        precondition((1...Self.maximumThreads).contains(threads), "a lane has 1 to \(Self.maximumThreads) threads")
        self.name = name
        self.threads = threads
        core = LaneCore(name: name)
        do {
            for index in 0..<threads {
                try core.startThread(name: "\(name)-\(index)")
            }
        } catch {
            core.close()
            throw error
        }
    }

    /// Nobody can be waiting for a job here, since `run` holds the lane; the idle threads are sent home. It doesn't
    /// wait for them, because the last reference may be dropped anywhere, a thread of the lane included.
    deinit {
        core.close()
    }

    /// Jobs that wait for a thread.
    public var queued: Int { core.queued }

    /// Jobs that a thread is at work on. A job has left this count when its `run` returns.
    public var running: Int { core.running }

    /// Runs `work` on one of the lane's threads and gives what it returns or throws.
    ///
    /// - *Cancelled while the job is queued*: it leaves the line at once and never starts; `CancellationError`.
    /// - *Cancelled while it runs*: the flag that `work` was given is set. `run` still returns only when `work` has
    ///   returned, so that buffers it works on may belong to the caller, and its outcome is `work`'s own: the value
    ///   if it finished regardless, or whatever it threw on seeing the flag.
    ///
    /// - Parameter work: may block; polls the flag where it can stop early.
    /// - Throws: what `work` throws, `CancellationError` as above, ``LaneError/shutDown(lane:)`` after ``shutDown()``.
    nonisolated(nonsending) public func run<R: Sendable>(
        _ work: @escaping @Sendable (CancellationFlag) throws -> R
    ) async throws -> R {
        try Task.checkCancellation()
        let flag = CancellationFlag()
        let outcome = ResumeOnce<R>()
        guard let ticket = core.enqueue(Self.job(work, flag, outcome)) else { throw LaneError.shutDown(lane: name) }
        return try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            flag.cancel()
            if core.remove(ticket) {
                outcome.resume(throwing: CancellationError())
            }
        }
    }

    /// What a thread does for `run`. Internal for the tests.
    ///
    /// The cancellation sets the flag before it looks for the job in the line, so a thread that takes the job out in
    /// between finds the flag set: nothing starts after the cancellation.
    static func job<R: Sendable>(
        _ work: @escaping @Sendable (CancellationFlag) throws -> R, _ flag: CancellationFlag, _ outcome: ResumeOnce<R>
    ) -> LaneCore.Job {
        LaneCore.Job {
            let result = Result {
                guard !flag.isCancelled else { throw CancellationError() }
                return try work(flag)
            }
            return { outcome.resume(with: result) }
        }
    }

    /// Runs `work` on one of the lane's threads; nobody waits for it, and once it is in the line it will run.
    ///
    /// For what must be done even for a cancelled task, and for callbacks of C libraries, whose threads must not be
    /// held up.
    ///
    /// - Returns: `false` after ``shutDown()``: the work will not run.
    @discardableResult
    public func post(_ work: @escaping @Sendable () -> Void) -> Bool {
        let job = LaneCore.Job {
            work()
            return {}
        }
        return core.enqueue(job) != nil
    }

    /// Takes no more work. Jobs that are queued or running are still finished, then the threads end. Returns at once;
    /// ``ended()`` waits. Calling it again changes nothing.
    public func shutDown() {
        core.close()
    }

    /// Suspends until the lane was shut down and each of its threads has left its last job. Not cancellable: it ends
    /// when the work does, and callers who can't wait that long cancel the jobs.
    nonisolated(nonsending) public func ended() async {
        await core.ended()
    }
}
