/// The part of a control group's `cpu.stat` that tells of its quota, in either version of cgroups.
enum ThrottleStatistics {
    /// How long the group's processors have stood still for want of quota, all together: `throttled_usec` in v2,
    /// `throttled_time`, in nanoseconds, in v1; `nil` if there is neither, which is so in a group without a quota.
    static func throttled(cpuStat bytes: Span<UInt8>) -> Duration? {
        let space = UInt8(ascii: " ")
        if let microseconds = LabelledNumber.find("throttled_usec", separator: space, in: bytes) {
            return .microseconds(Int64(clamping: microseconds))
        }
        guard let nanoseconds = LabelledNumber.find("throttled_time", separator: space, in: bytes) else { return nil }
        return .nanoseconds(Int64(clamping: nanoseconds))
    }
}
