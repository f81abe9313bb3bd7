import Glibc

/// How many connections a server serves at a time.
enum ConnectionLimit {
    /// The configured limit, or what the process's descriptors allow if that is less; at least one.
    static func effective(configured: Int, reserve: Int) -> Int {
        effective(configured: configured, reserve: reserve, descriptors: softDescriptorLimit())
    }

    /// The same, for so many descriptors; nil stands for no limit.
    static func effective(configured: Int, reserve: Int, descriptors: Int?) -> Int {
        max(1, min(configured, descriptors.map { $0 - reserve } ?? configured))
    }

    private static func softDescriptorLimit() -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }
}
