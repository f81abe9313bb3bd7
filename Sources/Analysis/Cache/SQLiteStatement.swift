import CSQLite

/// A compiled statement of a ``SQLiteConnection``; like it, for one thread at a time.
final class SQLiteStatement {
    /// A parameter's value.
    enum Value {
        case integer(Int)
        case blob([UInt8])
    }

    /// The row that a statement stands at; valid within the closure that gets it.
    struct Row {
        fileprivate let statement: OpaquePointer

        func integer(_ column: Int32) -> Int {
            Int(sqlite3_column_int64(statement, column))
        }

        func text(_ column: Int32) -> String {
            sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        }

        func blob(_ column: Int32) -> [UInt8] {
            // In this order: reading the blob may convert the value and so change its length.
            let start = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
        }
    }

    private let statement: OpaquePointer
    private let connection: SQLiteConnection

    /// Takes over the compiled statement.
    init(_ statement: OpaquePointer, of connection: SQLiteConnection) {
        self.statement = statement
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(statement)
    }

    /// Runs the statement to its end.
    func run(_ values: Value...) throws(SQLiteError) {
        defer { sqlite3_reset(statement) }
        try bind(values)
        while try step() {}
    }

    /// Runs the statement to its first row; `nil` if there is none.
    func firstRow<R>(_ values: Value..., read: (Row) -> R) throws(SQLiteError) -> R? {
        // A statement that is not reset would hold its read lock.
        defer { sqlite3_reset(statement) }
        try bind(values)
        return try step() ? read(Row(statement: statement)) : nil
    }

    private func bind(_ values: [Value]) throws(SQLiteError) {
        for (index, value) in zip(Int32(1)..., values) {
            let code =
                switch value {
                case .integer(let number): sqlite3_bind_int64(statement, index, Int64(number))
                case .blob(let bytes): csqlite_bind_copy(statement, index, bytes, UInt64(bytes.count))
                }
            guard code == SQLITE_OK else { throw connection.error(code) }
        }
    }

    /// Whether there is a row.
    private func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.error(code)
        }
    }
}
