import CPoolHealth

/// Whether anything but the monitor's thread has run, from two system calls instead of a file for each thread. Used by
/// the monitor's thread only.
struct ProcessActivity {
    /// What all threads but the calling one have done, and what that one has.
    struct Totals: Equatable {
        var switchesOfOthers: Int64
        var cpuMicrosecondsOfOthers: Int64
        var switchesOfCaller: Int64
    }

    /// A thread that has run for less since it woke up, and hasn't gone back to sleep yet, is seen by a later call. The
    /// readings are some microseconds apart, so the difference is never exact.
    private static let unseenMicroseconds: Int64 = 1_000

    private var before: Totals?

    /// Whether another thread may have run since the last call. After `false` none has gone to sleep in that time, and
    /// none was awake for longer than ``unseenMicroseconds``.
    mutating func othersMayHaveRun() -> Bool {
        let now = Self.totals()
        defer { before = now }
        return Self.othersMayHaveRun(before: before, now: now)
    }

    /// A thread that has gone to sleep was taken off its processor, which is counted; one that hasn't, uses it. Where
    /// the kernel doesn't count, as in some sandboxes, the caller's own sleep isn't counted either; and where the
    /// readings don't fit each other, nothing is known.
    static func othersMayHaveRun(before: Totals?, now: Totals?) -> Bool {
        guard let before, let now, now.switchesOfCaller > before.switchesOfCaller else { return true }
        return now.switchesOfOthers != before.switchesOfOthers
            || now.cpuMicrosecondsOfOthers - before.cpuMicrosecondsOfOthers >= unseenMicroseconds
    }

    private static func totals() -> Totals? {
        var all = cpoolhealth_activity()
        var own = cpoolhealth_activity()
        guard cpoolhealth_activities(&all, &own) == 0 else { return nil }
        return Totals(
            switchesOfOthers: all.switches - own.switches,
            cpuMicrosecondsOfOthers: all.cpu_microseconds - own.cpu_microseconds, switchesOfCaller: own.switches)
    }
}
