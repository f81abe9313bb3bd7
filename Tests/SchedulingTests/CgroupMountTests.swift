import Testing

@testable import Scheduling

/// Lines as proc_pid_mountinfo(5) describes them.
@Suite struct CgroupMountTests {
    @Test func findsTheUnifiedHierarchy() {
        let mountInfo = """
            22 28 0:20 / /sys rw,nosuid shared:7 - sysfs sysfs rw
            29 22 0:25 / /sys/fs/cgroup rw,nosuid,nodev shared:4 - cgroup2 cgroup2 rw,nsdelegate
            """
        #expect(
            CgroupMount.parse(mountInfo: mountInfo) == [
                CgroupMount(version: .v2, root: "/", mountPoint: "/sys/fs/cgroup")
            ])
    }

    @Test func findsTheCPUControllerAmongVersionOnesHierarchies() {
        let mountInfo = """
            31 24 0:27 /docker/4f2a /sys/fs/cgroup/cpu,cpuacct ro,nosuid master:9 - cgroup cgroup rw,cpu,cpuacct
            32 24 0:28 /docker/4f2a /sys/fs/cgroup/cpuset ro,nosuid master:10 - cgroup cgroup rw,cpuset
            33 24 0:29 /docker/4f2a /sys/fs/cgroup/systemd ro master:11 - cgroup systemd rw,xattr,name=systemd
            34 24 0:30 / /sys/fs/cgroup/unified rw shared:5 master:12 - cgroup2 cgroup2 rw
            """
        #expect(
            CgroupMount.parse(mountInfo: mountInfo) == [
                CgroupMount(version: .v1, root: "/docker/4f2a", mountPoint: "/sys/fs/cgroup/cpu,cpuacct"),
                CgroupMount(version: .v2, root: "/", mountPoint: "/sys/fs/cgroup/unified"),
            ])
    }

    @Test func readsLinesWithoutOptionalFieldsAndWithEscapedOnes() {
        let line = #"29 22 0:25 / /mnt/my\040cgroup\134 rw - cgroup2 none rw"#
        #expect(CgroupMount.parse(mountInfo: line).map(\.mountPoint) == [#"/mnt/my cgroup\"#])
    }

    @Test(arguments: ["", "nonsense", "29 22 0:25 / /sys/fs/cgroup rw - cgroup2", "- cgroup2 cgroup2 rw"])
    func skipsWhatItCannotRead(line: String) {
        #expect(CgroupMount.parse(mountInfo: line).isEmpty)
    }

    @Test(arguments: [
        ("/", "/", ["/cg"]),
        ("/", "/a/b", ["/cg/a/b", "/cg/a", "/cg"]),
        ("/docker/1", "/docker/1", ["/cg"]),
        ("/docker/1", "/docker/1/inner", ["/cg/inner", "/cg"]),
        // Another container's group, a name that only begins alike, and one outside the namespace.
        ("/docker/1", "/docker/2", ["/cg"]),
        ("/docker/1", "/docker/12", ["/cg"]),
        ("/", "/../outside", ["/cg"]),
    ])
    func walksFromTheGroupUpToTheMountPoint(root: String, group: String, directories: [String]) {
        let mount = CgroupMount(version: .v2, root: root, mountPoint: "/cg")
        #expect(mount.directories(group: group) == directories)
    }

    @Test func readsMembershipsOfBothVersions() {
        let procCgroup = """
            12:cpuset:/other
            4:cpu,cpuacct:/docker/4f2a
            1:name=systemd:/docker/4f2a
            0::/system.slice/a:b.service
            nonsense
            """
        #expect(
            CgroupMembership.parse(procCgroup: procCgroup) == [
                CgroupMembership(version: .v1, group: "/docker/4f2a"),
                CgroupMembership(version: .v2, group: "/system.slice/a:b.service"),
            ])
    }
}
