/// How many cores' worth of CPU time a control group allows, read from the files of either version of cgroups.
enum CPUQuota {
    /// The content of cgroup v2's `cpu.max`: quota or `max`, and period, both in microseconds.
    ///
    /// - Returns: cores, or `nil` if there is no limit or no sense in it.
    static func cores(cpuMax: String) -> Double? {
        let words = cpuMax.split(whereSeparator: \.isWhitespace)
        guard words.count == 2 else { return nil }
        return cores(quota: String(words[0]), period: String(words[1]))
    }

    /// The contents of cgroup v1's `cpu.cfs_quota_us`, where -1 means no limit, and `cpu.cfs_period_us`.
    ///
    /// - Returns: cores, or `nil` if there is no limit or no sense in it.
    static func cores(quota: String, period: String) -> Double? {
        guard let quota = microseconds(quota), let period = microseconds(period) else { return nil }
        return Double(quota) / Double(period)
    }

    private static func microseconds(_ text: String) -> Int? {
        let digits = text.split(whereSeparator: \.isWhitespace)
        guard digits.count == 1, let value = Int(digits[0]), value > 0 else { return nil }
        return value
    }
}
