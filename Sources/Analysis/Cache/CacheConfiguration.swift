/// How much of what was computed is kept, and where.
public struct CacheConfiguration: Sendable, Equatable {
    /// What the results in memory may take, in bytes; 0 keeps none.
    public var memoryByteLimit: Int
    /// The database file of the results that outlive a restart; `nil` keeps none. Its folder must exist; a file there
    /// that is no cache of this version is deleted.
    public var path: String?
    /// How large the database file may grow, in bytes. Its write-ahead log comes on top, some 8 MiB at the most.
    public var fileByteLimit: Int
    /// How long a lookup in the file is awaited; tests, which share their machine, are more patient.
    var fileLookupLimit = FileCache.lookupLimit

    /// 64 MiB in memory, and 1 GiB in a file where a path is given.
    ///
    /// - Parameters:
    ///   - memoryByteLimit: At least 0.
    ///   - path: The database file.
    ///   - fileByteLimit: At least 0; below 100 kB next to nothing is kept.
    public init(memoryByteLimit: Int = 64 << 20, path: String? = nil, fileByteLimit: Int = 1 << 30) {
        precondition(memoryByteLimit >= 0 && fileByteLimit >= 0, "a limit of bytes is at least 0")
        self.memoryByteLimit = memoryByteLimit
        self.path = path
        self.fileByteLimit = fileByteLimit
    }
}
