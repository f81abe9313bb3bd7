import CLinux

/// The cores that this process may really use: what the scheduler's affinity and the control groups' CPU quota leave.
///
/// The machine's number of processors is the wrong size for a pool in a container: with a quota of two cores on a
/// machine of 64, 64 busy threads use up each period's time in a few milliseconds and then stand still together.
public struct UsableCores: Sendable, Equatable {
    /// Processors that the calling thread may be scheduled on (`sched_getaffinity(2)`), at least 1.
    public let affinity: Int

    /// CPU time per wall-clock time, in cores, of the tightest control group the process is in; `nil` without a limit.
    public let quota: Double?

    /// Cores found by other means, or for a test.
    public init(affinity: Int, quota: Double?) {
        self.affinity = affinity
        self.quota = quota
    }

    /// How many threads can compute at the same time: the smaller of both, a broken core counted as a whole one;
    /// never less than 1.
    public var count: Int {
        guard let quota, quota < Double(affinity) else { return max(1, affinity) }
        return max(1, Int(quota.rounded(.up)))
    }

    /// How many threads can compute at the same time on this machine, now: `detect().count`.
    public static func count() -> Int {
        detect().count
    }

    /// Asks the kernel. Reads a few files, so it is called at the start and not on a task.
    ///
    /// Limits are looked for in every directory from the process's own group up to the mount point, in cgroup v2
    /// (`cpu.max`) and v1 (`cpu.cfs_quota_us`), since each level limits what is below. What can't be read is no limit.
    ///
    /// - Parameter root: the directory that holds `proc` and `sys`.
    public static func detect(root: String = "/") -> UsableCores {
        UsableCores(affinity: max(1, Int(clinux_affinity_count())), quota: quota(root: root))
    }

    private static func quota(root: String) -> Double? {
        func read(_ path: String) -> String? { SystemFile.read(root + "/" + path) }
        guard let mountInfo = read("/proc/self/mountinfo"), let procCgroup = read("/proc/self/cgroup") else {
            return nil
        }
        let memberships = CgroupMembership.parse(procCgroup: procCgroup)
        let limits = CgroupMount.parse(mountInfo: mountInfo).flatMap { mount in
            memberships.filter { $0.version == mount.version }
                .flatMap { mount.directories(group: $0.group) }
                .compactMap { limit(in: $0, version: mount.version, read: read) }
        }
        return limits.min()
    }

    private static func limit(
        in directory: String, version: CgroupVersion, read: (String) -> String?
    ) -> Double? {
        switch version {
        case .v2:
            return read(directory + "/cpu.max").flatMap(CPUQuota.cores(cpuMax:))
        case .v1:
            guard let quota = read(directory + "/cpu.cfs_quota_us"), let period = read(directory + "/cpu.cfs_period_us")
            else { return nil }
            return CPUQuota.cores(quota: quota, period: period)
        }
    }
}
