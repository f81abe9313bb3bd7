import Glibc

/// The kernel's clocks.
enum Clock {
    /// Goes on while the process is stopped, and stands still while the machine is suspended.
    static func monotonic() -> Duration { read(CLOCK_MONOTONIC) }

    /// As the monotonic clock, and goes on while the machine is suspended.
    static func sinceBoot() -> Duration { read(CLOCK_BOOTTIME) }

    /// Since 1970.
    static func civil() -> Duration { read(CLOCK_REALTIME) }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}

extension Duration {
    /// In seconds.
    var inSeconds: Double { self / .seconds(1) }

    /// In whole nanoseconds.
    var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
