import CSQLite
import Glibc
import Synchronization

/// The part of a ``FileCache`` that lives on its thread: the database, and what to do when it fails.
///
/// `@unchecked Sendable`: the mutable state is touched only by the methods, which the cache calls on its lane, a single
/// thread; the two counts, which everybody reads, are atomics.
final class FileCacheCore: @unchecked Sendable {
    /// Something to be stored.
    struct Entry {
        let key: AnalysisKey
        let value: CachedAnalysis
    }

    let byteCount = Atomic(0)
    let entryCount = Atomic(0)

    private let path: String
    private let byteLimit: Int
    private let retryInterval: Duration
    private let report: (FileCacheEvent) -> Void

    private var database: CacheDatabase?
    /// Not opened before this instant.
    private var opensAfter = ContinuousClock.now
    /// No file is dropped before this instant, so that a disk which damages everything isn't filled again and again.
    private var dropsAfter = ContinuousClock.now
    private var isUnavailable = false
    /// An open database failed: not every damage is called so by SQLite, so it is looked through before it's used
    /// again.
    private var isSuspect = false

    init(
        path: String, byteLimit: Int, retryInterval: Duration, report: @escaping @Sendable (FileCacheEvent) -> Void
    ) {
        self.path = path
        self.byteLimit = byteLimit
        self.retryInterval = retryInterval
        self.report = report
    }

    func open() {
        // Why it can't be had is told by whoever needs it.
        _ = try? openDatabase()
    }

    func find(_ key: AnalysisKey) -> CachedAnalysis? {
        do {
            let database = try openDatabase()
            switch try database.find(key.stored) {
            case .nothing:
                return nil
            case .payload(let payload):
                if let value = CachedAnalysis(payload: payload) { return value }
                // Somebody else's, although its checksum is right.
                try database.remove(key.stored)
            case .damaged:
                break
            }
            count(database)
            report(.droppedRow)
        } catch {
            report(.refused(recover(from: error)))
        }
        return nil
    }

    func store(_ entries: [Entry]) {
        do {
            let database = try openDatabase()
            let evicted = try database.store(entries.map { (key: $0.key.stored, payload: $0.value.payload) })
            count(database)
            if evicted > 0 {
                report(.evicted(evicted))
            }
            if isUnavailable {
                isUnavailable = false
                report(.available)
            }
        } catch {
            refuse(entries, because: recover(from: error))
        }
    }

    private func refuse(_ entries: [Entry], because refusal: FileCacheEvent.Refusal) {
        for _ in entries {
            report(.refused(refusal))
        }
    }

    /// Called last: nothing is found or stored afterwards.
    func close() {
        // If this fails, the rows will go in another order, and nothing else is lost.
        try? database?.flush()
        closeDatabase()
    }

    private func openDatabase() throws(FileCacheEvent.Refusal) -> CacheDatabase {
        if let database { return database }
        guard opensAfter <= .now else { throw .unavailable }
        do {
            return try makeDatabase()
        } catch {
            let refusal = recover(from: error)
            // There is one now if the file was dropped and made anew.
            guard let database else { throw refusal }
            return database
        }
    }

    private func makeDatabase() throws -> CacheDatabase {
        let database = try CacheDatabase(path: path, byteLimit: byteLimit)
        if isSuspect {
            isSuspect = false
            try database.checkStructure()
        }
        self.database = database
        count(database)
        return database
    }

    /// Does what is needed to go on; returns why what failed could not be done.
    private func recover(from error: any Error) -> FileCacheEvent.Refusal {
        switch error {
        case let refusal as FileCacheEvent.Refusal:
            return refusal
        case let error as ForeignDatabase where error.isOldCache:
            dropFile(.otherVersion, detail: "\(error)")
        case let error as SQLiteError where error.kind == .damaged || isReadOnlyWithoutReason(error):
            dropFile(.damaged, detail: "\(error)")
        case let error as SQLiteError where error.kind == .busy:
            return .busy
        default:
            leaveAlone(reason: "\(error)")
        }
        return .unavailable
    }

    /// A damaged header may say that the file must not be written; missing permission has codes of its own, or the file
    /// has it.
    private func isReadOnlyWithoutReason(_ error: SQLiteError) -> Bool {
        error.code == SQLITE_READONLY && access(path, W_OK) == 0
    }

    private func dropFile(_ fault: FileCacheEvent.FileFault, detail: String) {
        guard dropsAfter <= .now else {
            return leaveAlone(reason: "damaged again: \(detail)")
        }
        dropsAfter = .now + retryInterval
        isSuspect = false
        closeDatabase()
        // The log first: a new database must not find the old one's.
        for suffix in ["-wal", "-shm", "-journal", ""] {
            guard unlink(path + suffix) == 0 || errno == ENOENT else {
                return leaveAlone(reason: "can't delete \(path)\(suffix): \(String(cString: strerror(errno)))")
            }
        }
        report(.droppedFile(fault, detail: detail))
        do {
            _ = try makeDatabase()
        } catch {
            leaveAlone(reason: "\(error)")
        }
    }

    private func leaveAlone(reason: String) {
        isSuspect = database != nil
        closeDatabase()
        opensAfter = .now + retryInterval
        guard !isUnavailable else { return }
        isUnavailable = true
        report(.unavailable(reason: reason))
    }

    private func closeDatabase() {
        database = nil
        setCounts(bytes: 0, entries: 0)
    }

    private func count(_ database: CacheDatabase) {
        // Only a figure for the metrics: where it can't be had, the next call that matters will tell.
        guard let bytes = try? database.usedBytes() else { return }
        setCounts(bytes: bytes, entries: database.rowCount)
    }

    private func setCounts(bytes: Int, entries: Int) {
        byteCount.store(bytes, ordering: .relaxed)
        entryCount.store(entries, ordering: .relaxed)
    }
}
