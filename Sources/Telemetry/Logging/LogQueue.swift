import Threads

/// The bounded queue between the threads that log and the one that writes.
///
/// A line counts until it is written, so that `capacity` bounds the memory, also while the sink is stuck.
final class LogQueue: Sendable {
    /// What the writer has to do next.
    struct Batch: Sendable {
        let records: [LogRecord]
        /// How many lines were dropped after these records, and before any later one.
        let dropped: Int
    }

    private struct Flush: Sendable {
        /// Done once this many lines are written.
        let target: Int
        let done: ThreadSemaphore
    }

    private struct State {
        var waiting: [LogRecord] = []
        var accepted = 0
        var written = 0
        var droppedUnreported = 0
        var droppedInAll = 0
        var flushes: [Flush] = []
        var writerIsAsleep = false
        var isClosed = false
    }

    private let capacity: Int
    private let state = Locked(State())
    /// Signalled once for each time that the writer said it would sleep.
    private let wakeUp = ThreadSemaphore()

    init(capacity: Int) {
        self.capacity = capacity
    }

    var droppedInAll: Int {
        state.withLock { $0.droppedInAll }
    }

    /// Takes the record, or counts it as dropped if there is no room. Never waits for the writer.
    func enqueue(_ record: LogRecord) {
        changeAndWake { state in
            guard state.accepted - state.written < capacity else {
                state.droppedUnreported += 1
                state.droppedInAll += 1
                return
            }
            state.accepted += 1
            state.waiting.append(record)
        }
    }

    /// Returns when everything accepted so far is written, or after the timeout.
    func flush(timeout: Duration) -> Bool {
        let done = ThreadSemaphore()
        changeAndWake { $0.flushes.append(Flush(target: $0.accepted, done: done)) }
        return done.wait(atMost: timeout)
    }

    /// Lets the writer end after what was accepted.
    func close() {
        changeAndWake { $0.isClosed = true }
    }

    /// For the writer only: says that the batch before is written, and waits for the next; nil once closed and empty.
    ///
    /// Room appears and the dropped lines are collected in one critical section. So a line can't be accepted in
    /// between, and the dropped ones always came right after the records returned with them.
    func next(afterWriting count: Int) -> Batch? {
        var newlyWritten = count
        while true {
            let (batch, finished, isClosed) = state.withLock { state -> (Batch?, [Flush], Bool) in
                state.written += newlyWritten
                let finished = state.flushes.filter { $0.target <= state.written }
                state.flushes.removeAll { $0.target <= state.written }
                guard !state.waiting.isEmpty || state.droppedUnreported > 0 else {
                    state.writerIsAsleep = !state.isClosed
                    return (nil, finished, state.isClosed)
                }
                let batch = Batch(records: state.waiting, dropped: state.droppedUnreported)
                state.waiting = []
                state.droppedUnreported = 0
                return (batch, finished, false)
            }
            newlyWritten = 0
            for flush in finished { flush.done.signal() }
            if let batch { return batch }
            if isClosed { return nil }
            wakeUp.wait()
        }
    }

    /// The signal is outside of the lock, so that the woken writer doesn't run into it.
    private func changeAndWake(_ change: (inout sending State) -> Void) {
        let wakesWriter = state.withLock { state in
            change(&state)
            let wakesWriter = state.writerIsAsleep
            state.writerIsAsleep = false
            return wakesWriter
        }
        if wakesWriter { wakeUp.signal() }
    }
}
