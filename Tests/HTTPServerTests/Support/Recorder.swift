import HTTPServer
import TestSupport
import Threads

/// An observer that remembers, and that tests can wait with.
final class Recorder: ServerObserver {
    private struct Counts {
        var opened = 0
        var closed = 0
        var started = 0
        var finished = 0
        var received = 0
        var sent = 0
        var exhaustions = 0
        var refusals: [RefusalReason] = []
        var disconnects: [DisconnectPhase] = []
        var timeouts: [TimeoutKind] = []
        var refusedInput: [String] = []
    }

    private let counts = Locked(Counts())
    private let records: AsyncStream<RequestRecord>
    private let recordsContinuation: AsyncStream<RequestRecord>.Continuation
    private let closures: AsyncStream<Void>
    private let closuresContinuation: AsyncStream<Void>.Continuation

    init() {
        (records, recordsContinuation) = AsyncStream.makeStream()
        (closures, closuresContinuation) = AsyncStream.makeStream()
    }

    var opened: Int { counts.withLock { $0.opened } }
    var closed: Int { counts.withLock { $0.closed } }
    var started: Int { counts.withLock { $0.started } }
    var finished: Int { counts.withLock { $0.finished } }
    var bytesReceived: Int { counts.withLock { $0.received } }
    var bytesSent: Int { counts.withLock { $0.sent } }

    var exhaustions: Int { counts.withLock { $0.exhaustions } }
    var refusals: [RefusalReason] { counts.withLock { $0.refusals } }
    var disconnects: [DisconnectPhase] { counts.withLock { $0.disconnects } }
    var timeouts: [TimeoutKind] { counts.withLock { $0.timeouts } }
    var refusedInput: [String] { counts.withLock { $0.refusedInput } }

    func connectionOpened() { counts.withLock { $0.opened += 1 } }
    func requestStarted(route: String) { counts.withLock { $0.started += 1 } }
    func bytesReceived(_ count: Int) { counts.withLock { $0.received += count } }
    func bytesSent(_ count: Int) { counts.withLock { $0.sent += count } }
    func acceptExhausted() { counts.withLock { $0.exhaustions += 1 } }
    func connectionRefused(_ reason: RefusalReason) { counts.withLock { $0.refusals.append(reason) } }
    func clientDisconnected(_ phase: DisconnectPhase) { counts.withLock { $0.disconnects.append(phase) } }
    func timedOut(_ kind: TimeoutKind) { counts.withLock { $0.timeouts.append(kind) } }
    func inputRefused(slug: String) { counts.withLock { $0.refusedInput.append(slug) } }

    func requestFinished(_ record: RequestRecord) {
        counts.withLock { $0.finished += 1 }
        recordsContinuation.yield(record)
    }

    func connectionClosed() {
        counts.withLock { $0.closed += 1 }
        closuresContinuation.yield()
    }

    /// The next finished request; nil when the test is cancelled.
    func nextRecord() async -> RequestRecord? {
        var iterator = records.makeAsyncIterator()
        return await iterator.next()
    }

    /// Waits until so many bytes have been read.
    func waitUntilReceived(_ count: Int) async {
        var wait = PatientWait()
        while bytesReceived < count, !Task.isCancelled {
            await wait.pause()
        }
    }

    /// Waits until so many connections have been opened in all.
    func waitUntilOpened(_ count: Int) async {
        var wait = PatientWait()
        while opened < count, !Task.isCancelled {
            await wait.pause()
        }
    }

    /// Waits until so many requests have been started in all.
    func waitUntilStarted(_ count: Int) async {
        var wait = PatientWait()
        while started < count, !Task.isCancelled {
            await wait.pause()
        }
    }

    /// Waits until so many connections have been closed in all.
    func waitUntilClosed(_ count: Int) async {
        var iterator = closures.makeAsyncIterator()
        while closed < count, await iterator.next() != nil {}
    }
}
