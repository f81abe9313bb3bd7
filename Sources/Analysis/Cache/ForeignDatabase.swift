/// A file is a database, but not a cache of this version.
struct ForeignDatabase: Error, CustomStringConvertible {
    /// What its `PRAGMA application_id` says; 0 where nobody has set it.
    let applicationID: Int
    /// What its `PRAGMA user_version` says.
    let version: Int

    /// Whether it is this program's own, which may be deleted. What another program keeps may be all it has.
    var isOldCache: Bool { applicationID == CacheDatabase.applicationID }

    var description: String {
        isOldCache
            ? "a cache of version \(version), not of \(CacheDatabase.schemaVersion)"
            : "another program's database (application_id \(applicationID))"
    }
}
