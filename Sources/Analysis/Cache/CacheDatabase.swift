import CSQLite
import Glibc
import Inference

/// The tables of the file cache: analyses as bytes under their keys, bounded, each with a checksum.
///
/// For one thread at a time, as ``SQLiteConnection`` is. Other processes may use the same file.
final class CacheDatabase {
    /// Raised by whoever changes the tables or the form of what is in them; files of other versions are dropped.
    static let schemaVersion = 1

    /// "EMBD": tells the cache's files from other programs' databases.
    static let applicationID = 0x454d_4244

    /// How many rows go at a time when the file is full, so that not each new one has to make room for itself.
    static let rowsPerEviction = 64

    /// The most evictions at one go, so that a limit which was lowered is not reached by holding up everybody else. As
    /// many rows as can come at one go.
    static let evictionsPerStore = FileCache.mostWaitingWrites / rowsPerEviction

    /// How many last uses are noted in memory before they are written, and how many more before that is tried again.
    static let usesPerWrite = 256

    /// How long a call waits for another process that writes.
    private static let busyTimeoutMilliseconds: Int32 = 20

    /// No vector is that long.
    private static let valueByteLimit: Int32 = 16 << 20

    /// The write-ahead log is cut back to this size after it was copied into the database.
    private static let logByteLimit = 4 << 20

    /// What is found under a key.
    enum Finding {
        case payload([UInt8])
        case nothing
        /// Something that didn't have its checksum; it is deleted.
        case damaged
    }

    private let byteLimit: Int
    private let pageBytes: Int
    private let connection: SQLiteConnection
    private let select: SQLiteStatement
    private let insert: SQLiteStatement
    private let delete: SQLiteStatement
    private let deleteOldest: SQLiteStatement
    private let updateUse: SQLiteStatement
    private let countPages: SQLiteStatement
    private let countFreePages: SQLiteStatement

    /// When rows were last used, of those that were since this was last written.
    private var uses: [Int: Int] = [:]
    /// With so many of them they are written.
    private var usesToWrite = CacheDatabase.usesPerWrite

    /// How many rows there are, as far as this process knows: others' changes are seen when it opens the file again.
    private(set) var rowCount: Int

    /// Opens a cache or makes an empty one.
    ///
    /// - Parameter byteLimit: How large the file may grow.
    /// - Throws: ``SQLiteError``, and ``ForeignDatabase`` if the file is not a cache of this version.
    init(path: String, byteLimit: Int) throws {
        self.byteLimit = byteLimit
        connection = try SQLiteConnection(
            path: path, busyTimeoutMilliseconds: Self.busyTimeoutMilliseconds, valueByteLimit: Self.valueByteLimit)
        // Not synced: what a power failure leaves is checked like everything else, and dropped if it is damaged.
        try connection.execute(
            """
            PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA synchronous = OFF;
            PRAGMA journal_size_limit = \(Self.logByteLimit)
            """)
        try Self.prepareTables(connection)

        select = try connection.prepare("SELECT id, checksum, payload FROM analyses WHERE key = ?")
        // The same key always has the same analysis: one that another process has stored meanwhile is as good.
        insert = try connection.prepare(
            "INSERT INTO analyses (key, last_use, checksum, payload) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
        delete = try connection.prepare("DELETE FROM analyses WHERE key = ?")
        deleteOldest = try connection.prepare(
            "DELETE FROM analyses WHERE id IN (SELECT id FROM analyses ORDER BY last_use, id LIMIT ?)")
        updateUse = try connection.prepare("UPDATE analyses SET last_use = ? WHERE id = ?")
        countPages = try connection.prepare("PRAGMA page_count")
        countFreePages = try connection.prepare("PRAGMA freelist_count")
        pageBytes = try connection.integer("PRAGMA page_size")
        rowCount = try connection.integer("SELECT count(*) FROM analyses")
    }

    /// What the file takes on disk, without what is free in it.
    func usedBytes() throws(SQLiteError) -> Int {
        try (pages() - freePages()) * pageBytes
    }

    /// Looks through the whole file, which takes as long as reading it; throws if something doesn't fit together.
    func checkStructure() throws(SQLiteError) {
        let finding = try connection.prepare("PRAGMA quick_check(1)").firstRow { $0.text(0) } ?? "nothing"
        guard finding == "ok" else { throw SQLiteError(code: SQLITE_CORRUPT, message: finding) }
    }

    /// Finds what is stored under a key. That counts as a use, which may be written later. Waits for nobody who writes,
    /// unless there is damage to be deleted.
    func find(_ key: [UInt8]) throws(SQLiteError) -> Finding {
        let row = try select.firstRow(.blob(key)) { (id: $0.integer(0), checksum: $0.blob(1), payload: $0.blob(2)) }
        guard let row else { return .nothing }
        guard row.checksum == Self.checksum(key: key, payload: row.payload) else {
            try remove(key)
            return .damaged
        }
        uses[row.id] = Self.now()
        if uses.count >= usesToWrite {
            writeUsesIfPossible()
        }
        return .payload(row.payload)
    }

    /// Deletes what is stored under a key.
    func remove(_ key: [UInt8]) throws(SQLiteError) {
        try delete.run(.blob(key))
        rowCount -= connection.changes
    }

    /// Stores payloads as the most recently used, in one transaction, and makes room for them.
    ///
    /// - Returns: how many rows had to go.
    func store(_ entries: [(key: [UInt8], payload: [UInt8])]) throws(SQLiteError) -> Int {
        var inserted = 0
        var evicted = 0
        try connection.transaction { () throws(SQLiteError) in
            try writeUses()
            let now = Self.now()
            for (key, payload) in entries where payload.count < min(byteLimit, Int(Self.valueByteLimit)) {
                let checksum = Self.checksum(key: key, payload: payload)
                try insert.run(.blob(key), .integer(now), .blob(checksum), .blob(payload))
                inserted += connection.changes
            }
            evicted = try evict()
        }
        rowCount += inserted - evicted
        return evicted
    }

    /// Writes what is only noted so far.
    func flush() throws(SQLiteError) {
        guard !uses.isEmpty else { return }
        try connection.transaction { () throws(SQLiteError) in try writeUses() }
    }

    private func writeUses() throws(SQLiteError) {
        for (id, instant) in uses {
            try updateUse.run(.integer(instant), .integer(id))
        }
        uses = [:]
        usesToWrite = Self.usesPerWrite
    }

    /// What was found is good whether this works or not, and whatever is wrong with the file, the next one to store
    /// something meets it too.
    private func writeUsesIfPossible() {
        do {
            try connection.withoutWaiting { () throws(SQLiteError) in
                try connection.transaction { () throws(SQLiteError) in try writeUses() }
            }
        } catch {
            usesToWrite = uses.count + Self.usesPerWrite
        }
    }

    private func evict() throws(SQLiteError) -> Int {
        var evicted = 0
        for _ in 0..<Self.evictionsPerStore {
            guard try usedBytes() > byteLimit else { break }
            try deleteOldest.run(.integer(Self.rowsPerEviction))
            evicted += connection.changes
        }
        let excessPages = min(try pages() - byteLimit / pageBytes, try freePages())
        if excessPages > 0 {
            // No more at a time than evictions free, so that it takes no longer than they do.
            let most = 2 * Self.rowsPerEviction * Self.evictionsPerStore
            try connection.execute("PRAGMA incremental_vacuum(\(min(excessPages, most)))")
        }
        return evicted
    }

    private func pages() throws(SQLiteError) -> Int {
        try countPages.firstRow { $0.integer(0) } ?? 0
    }

    private func freePages() throws(SQLiteError) -> Int {
        try countFreePages.firstRow { $0.integer(0) } ?? 0
    }

    /// The key is part of it, so that a payload which ended up under another key is found out too.
    private static func checksum(key: [UInt8], payload: [UInt8]) -> [UInt8] {
        SHA256Digest(of: key + payload).bytes
    }

    /// Microseconds since 1970: comparable between processes and after a restart. A clock that is set back only
    /// disturbs the order in which rows go.
    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}
