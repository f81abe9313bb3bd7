/// What happens to a file cache, for the log and for metrics.
public enum FileCacheEvent: Sendable, Equatable {
    /// Why a file was dropped.
    public enum FileFault: String, Sendable, CaseIterable {
        /// It is no database, or was one.
        case damaged = "damaged_file"
        /// A cache of another version.
        case otherVersion = "other_version"
    }

    /// Why an analysis was not looked up or not kept.
    public enum Refusal: String, Error, CaseIterable {
        /// As many lookups are waiting or under way as may.
        case readBacklog = "read_backlog"
        /// The lookup took longer than anybody waits for one.
        case readTimeout = "read_timeout"
        /// As many analyses are waiting to be written as may.
        case writeBacklog = "write_backlog"
        /// Another process held the file for too long.
        case busy
        /// The file can't be used at present.
        case unavailable
    }

    /// The file was deleted and made anew; with what was found in it.
    case droppedFile(FileFault, detail: String)
    /// One analysis didn't have its checksum and was deleted.
    case droppedRow
    /// The oldest analyses were deleted to make room for new ones.
    case evicted(Int)
    /// One analysis was not looked up or not kept.
    case refused(Refusal)
    /// The file can't be used, for this reason; told once, until it was available again.
    case unavailable(reason: String)
    /// The file was written again.
    case available
}
