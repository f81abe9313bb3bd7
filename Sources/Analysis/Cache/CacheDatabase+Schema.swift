/// The tables, and how to tell whether a file has them.
extension CacheDatabase {
    /// Checks that the file has this version's tables, and makes them in an empty file. Another program's database is
    /// not touched.
    static func prepareTables(_ connection: SQLiteConnection) throws {
        if try isEmpty(connection) {
            try makeTables(connection)
        }
        let foundID = try connection.integer("PRAGMA application_id")
        let foundVersion = try connection.integer("PRAGMA user_version")
        guard foundID == applicationID, foundVersion == schemaVersion else {
            throw ForeignDatabase(applicationID: foundID, version: foundVersion)
        }
        // Readers and the writer don't wait for each other. Where it's not to be had, the default does.
        try connection.execute("PRAGMA journal_mode = WAL")
    }

    private static func makeTables(_ connection: SQLiteConnection) throws(SQLiteError) {
        // Only possible before the first table; lets space that is not needed any more be given back.
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try connection.transaction { () throws(SQLiteError) in
            // Looked at again under the write lock: another process may have been first.
            guard try isEmpty(connection) else { return }
            try connection.execute(
                """
                CREATE TABLE analyses (
                    id INTEGER PRIMARY KEY,
                    key BLOB NOT NULL UNIQUE,
                    last_use INTEGER NOT NULL,
                    checksum BLOB NOT NULL,
                    payload BLOB NOT NULL
                ) STRICT;
                CREATE INDEX analyses_by_last_use ON analyses (last_use);
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(schemaVersion);
                """)
        }
    }

    private static func isEmpty(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        let tables = try connection.integer("SELECT count(*) FROM sqlite_schema")
        let version = try connection.integer("PRAGMA user_version")
        return tables == 0 && version == 0
    }
}
