import CSQLite

/// An open SQLite database.
///
/// Opened without SQLite's own locks, so for one thread at a time, which is why it is not `Sendable`; its owner says
/// which thread that is. Every call may block on the disk, and on other processes for as long as the busy timeout.
final class SQLiteConnection {
    private let handle: OpaquePointer
    private let busyTimeoutMilliseconds: Int32

    /// Opens the file, or makes an empty one.
    ///
    /// SQLite reads nothing yet, so that a file which is no database fails only when it is first used.
    ///
    /// - Parameters:
    ///   - busyTimeoutMilliseconds: How long a call waits for another process's lock.
    ///   - valueByteLimit: Longer values are neither written nor believed in when read.
    init(path: String, busyTimeoutMilliseconds: Int32, valueByteLimit: Int32) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened else {
            throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)))
        }
        guard code == SQLITE_OK else {
            let error = Self.error(code, of: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        sqlite3_busy_timeout(handle, busyTimeoutMilliseconds)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, valueByteLimit)
    }

    /// Statements that are still there keep the database open until they go (`sqlite3_close_v2`).
    deinit {
        sqlite3_close_v2(handle)
    }

    /// Rows that the last statement inserted or deleted.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Runs statements without parameters, and drops their rows.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// The first row's first column as a whole number; 0 if there is no row.
    func integer(_ sql: String) throws(SQLiteError) -> Int {
        try prepare(sql).firstRow { $0.integer(0) } ?? 0
    }

    /// Compiles one statement, to be run many times.
    func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code) }
        return SQLiteStatement(statement, of: self)
    }

    /// Runs `body` in a transaction that takes the write lock at its start, so that it can't fail for want of it later.
    /// It is rolled back if `body` throws.
    func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try execute("BEGIN IMMEDIATE")
        do {
            try body()
            try execute("COMMIT")
        } catch {
            // SQLite may have rolled back by itself; then this fails, and nothing is wrong.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// Runs `body` so that another process's lock is not waited for.
    func withoutWaiting(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, busyTimeoutMilliseconds) }
        try body()
    }

    func error(_ code: Int32) -> SQLiteError {
        Self.error(code, of: handle)
    }

    private static func error(_ code: Int32, of handle: OpaquePointer) -> SQLiteError {
        SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
}
