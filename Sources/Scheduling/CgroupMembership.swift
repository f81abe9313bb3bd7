/// The control groups that the process is in, one for each hierarchy that can limit its CPU time.
struct CgroupMembership: Equatable {
    let version: CgroupVersion
    /// The group's path in its hierarchy, as the process's cgroup namespace shows it.
    let group: String

    /// Reads the content of `/proc/self/cgroup` (cgroups(7)): `hierarchy:controllers:path`, where v2 has hierarchy 0
    /// and no controllers.
    static func parse(procCgroup: String) -> [CgroupMembership] {
        procCgroup.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            if fields[0] == "0", fields[1].isEmpty {
                return CgroupMembership(version: .v2, group: String(fields[2]))
            }
            guard fields[1].split(separator: ",").contains("cpu") else { return nil }
            return CgroupMembership(version: .v1, group: String(fields[2]))
        }
    }
}
