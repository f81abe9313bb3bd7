/// Why a pool stands still.
public enum StallCause: String, Sendable, CaseIterable {
    /// All threads of the pool are asleep in the middle of a job.
    case blocked
    /// All threads compute, or wait for a processor.
    case cpuSaturated = "cpu_saturated"
    /// The control group's CPU quota is used up, again and again.
    case cgroupThrottled = "cgroup_throttled"
    /// The threads are taken by blocks of Dispatch, which share them with tasks.
    case gcdContention = "gcd_contention"
    /// Dispatch will not make another thread for this root queue.
    case threadLimit = "thread_limit"
    /// The whole process, or the machine, stood still: stopped, suspended, in a debugger.
    case hostPaused = "host_paused"
    /// None of the rules fits.
    case unknown
}
