import CSQLite

/// What SQLite says went wrong (sqlite.org, "Result and Error Codes").
struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// What follows from an error.
    enum Kind {
        /// Somebody else holds a lock for longer than was waited.
        case busy
        /// The file is not what it should be.
        case damaged
        /// Everything else: no disk space, no permission, no memory.
        case failed
    }

    /// The extended result code.
    let code: Int32
    /// SQLite's words for it.
    let message: String

    var kind: Kind {
        // The low byte is the primary code.
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        // SQLITE_ERROR is what a statement gets that doesn't fit the tables; all statements are our own.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_TOOBIG, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH: .damaged
        default: .failed
        }
    }

    var description: String { "\(message) (SQLite \(code))" }
}
