import Telemetry
import Threads

/// Turns stalls into log lines with the names of places, on a thread of its own: reading debug information takes longer
/// than a tick of the monitor may.
final class StallReporter: Sendable {
    /// What the monitor hands over.
    enum Work: Sendable {
        case selfTest(thread: Int32)
        /// With how long it had lasted when it was noticed, the number of all requests in flight, and the stage that
        /// most of them were in.
        case began(StallRecord, age: Duration, stacks: [RawStack], inFlight: Int, stage: String)
        case explained(Stall)
        case becameSevere(Stall)
        case ended(Stall)
        /// Stacks of threads of a stalled pool whose places aren't known yet.
        case located(stall: Int, stacks: [RawStack])
        case stop
    }

    /// A thread that is blocked in a stall, and where.
    struct Place: Sendable {
        let stall: Int
        let site: String
        let wait: String
        /// The calls that it is in there.
        let stack: RawStack
    }

    /// Oldest requests that are kept with a stall.
    static let keptRequests = 32

    private struct State {
        var work: [Work] = []
        var places: [Int32: Place] = [:]
        var mode: MonitorMode?
    }

    private let state = Locked(State())
    private let wakeUp = ThreadSemaphore()
    private let journal: StallJournal
    private let ledger: CulpritLedger
    private let logger: Logger
    /// Also for whoever else wants to know where threads are.
    let names = StackNames()

    init(journal: StallJournal, ledger: CulpritLedger, logger: Logger) throws(PoolHealthError) {
        self.journal = journal
        self.ledger = ledger
        self.logger = logger
        do {
            try OwnThread.start(name: "pool-report") { self.run() }
        } catch {
            throw .noThread(error)
        }
    }

    /// Any thread; never waits.
    func post(_ work: Work) {
        state.withLock { $0.work.append(work) }
        wakeUp.signal()
    }

    /// Where a thread is blocked, if that is known.
    func place(of thread: Int32) -> Place? {
        state.withLock { $0.places[thread] }
    }

    /// The outcome of the self-test; `nil` until it is done.
    var mode: MonitorMode? { state.withLock { $0.mode } }

    private func run() {
        while true {
            wakeUp.wait()
            guard let work = state.withLock({ $0.work.isEmpty ? nil : $0.work.removeFirst() }) else { continue }
            switch work {
            case .selfTest(let thread):
                let mode = SelfTest.run(thread: thread)
                state.withLock { $0.mode = mode }
            case .began(let record, let age, let stacks, let inFlight, let stage):
                begin(record, age: age, stacks, inFlight: inFlight, stage: stage)
            case .explained(let stall):
                change(stall, event: "pool_stall_explained")
            case .becameSevere(let stall):
                change(stall, event: "pool_stall_severe")
            case .ended(let stall):
                end(stall)
            case .located(let stall, let stacks):
                _ = locate(stall, stacks)
            case .stop:
                return
            }
        }
    }

    private func begin(_ record: StallRecord, age: Duration, _ stacks: [RawStack], inFlight: Int, stage: String) {
        // First without names, so that whoever asks meanwhile sees the stall.
        journal.add(record)
        let culprits = locate(record.number, stacks)
        var fields: LogFields = [
            "stall": .integer(record.number), "pool": .string(record.pool),
            "cause": .string(record.verdict.cause.rawValue), "confidence": .double(record.verdict.confidence),
            "age_ms": .milliseconds(age),
            "culprits": .strings(culprits.map { "\($0.threads)x \($0.site)" }),
        ]
        if let worst = culprits.first { fields.append("stack", .strings(worst.frames.map(\.site))) }
        let busyLanes = record.lanes.compactMap(\.busyInWords)
        if !busyLanes.isEmpty { fields.append("lanes", .strings(busyLanes)) }
        if inFlight > 0 {
            fields.append("in_flight", .integer(inFlight))
            fields.append("stage", .string(stage))
        }
        logger.log(.error, event: "pool_stall", fields: fields)
    }

    private func change(_ stall: Stall, event: String) {
        journal.update(stall.number) {
            $0.verdict = stall.verdict
            $0.isSevere = stall.isSevere
        }
        logger.log(
            .error, event: event,
            fields: [
                "stall": .integer(stall.number), "pool": .string(stall.poolName),
                "cause": .string(stall.verdict.cause.rawValue), "confidence": .double(stall.verdict.confidence),
            ])
    }

    private func end(_ stall: Stall) {
        let duration = stall.duration ?? .zero
        let record = journal.update(stall.number) {
            $0.duration = duration
            $0.verdict = stall.verdict
            $0.isSevere = stall.isSevere
        }
        state.withLock { state in
            for (thread, place) in state.places where place.stall == stall.number { state.places[thread] = nil }
        }
        logger.log(
            .warning, event: "pool_stall_over",
            fields: [
                "stall": .integer(stall.number), "pool": .string(stall.poolName),
                "cause": .string(stall.verdict.cause.rawValue), "duration_ms": .milliseconds(duration),
                "culprits": .strings((record?.culprits ?? []).map(\.site)),
            ])
    }

    /// Names the places, keeps them for the threads, and adds new ones to the record.
    private func locate(_ stall: Int, _ stacks: [RawStack]) -> [Culprit] {
        guard !stacks.isEmpty else { return [] }
        let named = zip(stacks, names.frames(of: stacks.map(\.frames))).map { (wait: $0.wait, frames: $1) }
        let culprits = Culprit.group(named)
        state.withLock { state in
            for (stack, name) in zip(stacks, named) {
                state.places[stack.thread] = Place(
                    stall: stall, site: Culprit.site(of: name.frames), wait: (stack.wait ?? .other).rawValue,
                    stack: stack)
            }
        }
        journal.update(stall) { record in
            for culprit in culprits {
                if record.culprits.contains(where: { $0.site == culprit.site && $0.wait == culprit.wait }) { continue }
                record.culprits.append(culprit)
            }
        }
        return culprits
    }
}
