/// Where the control groups that limit the process's CPU time have their files, in both versions of cgroups.
///
/// A group's limit holds for all groups below it, so every directory counts from the process's own up to the mount
/// point.
struct ControlGroups: Equatable {
    /// Directories, innermost first, of each hierarchy that is mounted and can limit CPU time.
    let directories: [String]

    /// - Parameters:
    ///   - mountInfo: the content of `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
    ///   - membership: the content of `/proc/self/cgroup` (cgroups(7)).
    init(mountInfo: String, membership: String) {
        let groups = Self.groups(membership)
        directories = mountInfo.split(separator: "\n").flatMap { line -> [String] in
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count >= dash + 4 else { return [] }
            let isUnified = fields[dash + 1] == "cgroup2"
            let limitsTime = fields[dash + 1] == "cgroup" && fields[dash + 3].split(separator: ",").contains("cpu")
            guard isUnified || limitsTime, let group = isUnified ? groups.unified : groups.cpu else { return [] }
            return Self.directories(mountPoint: String(fields[4]), root: fields[3], group: group)
        }
    }

    /// Lines of `hierarchy:controllers:path`, where v2 has hierarchy 0 and no controllers.
    private static func groups(_ membership: String) -> (unified: Substring?, cpu: Substring?) {
        var unified: Substring?
        var cpu: Substring?
        for line in membership.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            if fields[0] == "0", fields[1].isEmpty { unified = fields[2] }
            if fields[1].split(separator: ",").contains("cpu") { cpu = fields[2] }
        }
        return (unified, cpu)
    }

    /// A group that the mount doesn't show, since the process sees it from another namespace, is taken for the one at
    /// the mount point.
    private static func directories(mountPoint: String, root: Substring, group: Substring) -> [String] {
        let rootPath = root.split(separator: "/")
        let groupPath = group.split(separator: "/")
        var directories = [mountPoint]
        if groupPath.starts(with: rootPath), !groupPath.contains("..") {
            for component in groupPath.dropFirst(rootPath.count) {
                directories.append(directories[directories.count - 1] + "/" + component)
            }
        }
        return directories.reversed()
    }

    /// Cores of a quota from the text of `cpu.max` (v2): quota or `max`, and period, in microseconds.
    static func cores(cpuMax: String) -> Double? {
        let words = cpuMax.split { $0.isWhitespace }
        guard words.count == 2 else { return nil }
        return cores(quota: String(words[0]), period: String(words[1]))
    }

    /// Cores of a quota from the texts of `cpu.cfs_quota_us`, where -1 means none, and `cpu.cfs_period_us` (v1).
    static func cores(quota: String, period: String) -> Double? {
        func number(_ text: String) -> Double? {
            text.split { $0.isWhitespace }.first.flatMap { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        guard let quota = number(quota), let period = number(period) else { return nil }
        return quota / period
    }
}
