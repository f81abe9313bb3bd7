import Glibc

/// What the control group and the machine do to the process: quota, throttling, stolen time, suspension. Used by the
/// monitor's thread only.
struct HostGauges {
    /// One for each level of control groups.
    private let throttleFiles: [KernelFile]
    private let processorTime: KernelFile?
    private let status: KernelFile?
    private let ticksPerSecond: Double

    /// CPU time per wall-clock time that the tightest group allows, in cores; `nil` without a limit.
    let quota: Double?

    private var throttledBefore: Duration
    private var suspendedBefore: Duration

    /// - Parameter root: the directory that holds `proc` and `sys`.
    init(root: String = "") {
        let mountInfo = KernelFile.text(root + "/proc/self/mountinfo") ?? ""
        let groups = ControlGroups(
            mountInfo: mountInfo, membership: KernelFile.text(root + "/proc/self/cgroup") ?? "")
        throttleFiles = groups.directories.compactMap { KernelFile(root + $0 + "/cpu.stat") }
            .filter { $0.read(ThrottleStatistics.throttled(cpuStat:)) != nil }
        quota = groups.directories.compactMap { Self.quota(root + $0) }.min()
        processorTime = KernelFile(root + "/proc/stat")
        status = KernelFile(root + "/proc/self/status")
        ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        throttledBefore = .zero
        suspendedBefore = Self.suspended()
        throttledBefore = throttledInAll()
    }

    /// Since the last call.
    mutating func throttled() -> Duration {
        guard !throttleFiles.isEmpty else { return .zero }
        let now = throttledInAll()
        defer { throttledBefore = now }
        return max(.zero, now - throttledBefore)
    }

    /// Since the last call. Differences below a millisecond are the clocks' reading one after the other.
    mutating func suspendedTime() -> Duration {
        let now = Self.suspended()
        let passed = now - suspendedBefore
        guard passed >= .milliseconds(1) else { return .zero }
        suspendedBefore = now
        return passed
    }

    /// What all processors of the machine have done since its start; `nil` if unknown.
    func processors() -> HostProcessorTime? {
        processorTime?.read(HostProcessorTime.parse)
    }

    /// Clock ticks as seconds.
    func seconds(ofTicks ticks: UInt64) -> Double { Double(ticks) / ticksPerSecond }

    /// Whether a debugger is attached.
    func isTraced() -> Bool {
        (status?.read(ThreadStatus.tracer(status:)) ?? 0) != 0
    }

    private func throttledInAll() -> Duration {
        throttleFiles.reduce(.zero) { $0 + ($1.read(ThrottleStatistics.throttled(cpuStat:)) ?? .zero) }
    }

    private static func suspended() -> Duration { Clock.sinceBoot() - Clock.monotonic() }

    private static func quota(_ directory: String) -> Double? {
        if let unified = KernelFile.text(directory + "/cpu.max") { return ControlGroups.cores(cpuMax: unified) }
        guard let quota = KernelFile.text(directory + "/cpu.cfs_quota_us"),
            let period = KernelFile.text(directory + "/cpu.cfs_period_us")
        else { return nil }
        return ControlGroups.cores(quota: quota, period: period)
    }
}
