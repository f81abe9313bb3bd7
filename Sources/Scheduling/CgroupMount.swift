/// Where a hierarchy of control groups that can limit CPU time is mounted.
struct CgroupMount: Equatable {
    let version: CgroupVersion
    /// The group that the mount point shows; in a container often not the hierarchy's root.
    let root: String
    let mountPoint: String

    /// Finds the mounts in the content of `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
    static func parse(mountInfo: String) -> [CgroupMount] {
        mountInfo.split(separator: "\n").compactMap(parse(line:))
    }

    /// `36 35 98:0 /root /mount/point rw,noatime shared:1 - cgroup2 source rw,options`: before the lone dash there may
    /// be any number of optional fields.
    private static func parse(line: Substring) -> CgroupMount? {
        let fields = line.split(separator: " ")
        guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count >= dash + 4 else { return nil }
        let version: CgroupVersion
        switch fields[dash + 1] {
        case "cgroup2":
            version = .v2
        case "cgroup" where fields[dash + 3].split(separator: ",").contains("cpu"):
            version = .v1
        default:
            return nil
        }
        return CgroupMount(version: version, root: unescape(fields[3]), mountPoint: unescape(fields[4]))
    }

    /// The kernel writes space, tab, newline and backslash as three octal digits after a backslash.
    private static func unescape(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = field.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let code = UInt8(String(rest.prefix(3)) ?? "", radix: 8) {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The directories whose limits apply to a process in `group`: its own and each one above, up to the mount point.
    ///
    /// A group that this mount doesn't show (the process sees its hierarchy from another namespace) is taken for the
    /// one at the mount point.
    func directories(group: String) -> [String] {
        var directories = [mountPoint]
        for component in pathBelowRoot(of: group) {
            directories.append(directories[directories.count - 1] + "/" + component)
        }
        return directories.reversed()
    }

    private func pathBelowRoot(of group: String) -> ArraySlice<Substring> {
        let rootPath = root.split(separator: "/")
        let groupPath = group.split(separator: "/")
        guard groupPath.starts(with: rootPath), !groupPath.contains("..") else { return [] }
        return groupPath.dropFirst(rootPath.count)
    }
}
