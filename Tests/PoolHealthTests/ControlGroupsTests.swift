import Testing

@testable import PoolHealth

@Suite struct ControlGroupsTests {
    @Test func findsEveryLevelOfTheUnifiedHierarchy() {
        let groups = ControlGroups(
            mountInfo: "29 22 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", membership: "0::/kubepods/pod1\n")
        #expect(
            groups.directories == ["/sys/fs/cgroup/kubepods/pod1", "/sys/fs/cgroup/kubepods", "/sys/fs/cgroup"])
    }

    @Test func findsTheProcessorControllerOfVersionOne() {
        let groups = ControlGroups(
            mountInfo: """
                30 22 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
                31 22 0:27 /docker/4f /sys/fs/cgroup/cpu ro master:9 - cgroup cgroup rw,cpu,cpuacct
                """, membership: "5:memory:/x\n4:cpu,cpuacct:/docker/4f/inner\n0::/\n")
        #expect(groups.directories == ["/sys/fs/cgroup/cpu/inner", "/sys/fs/cgroup/cpu"])
    }

    @Test func takesAGroupFromAnotherNamespaceForTheMountPoint() {
        let groups = ControlGroups(
            mountInfo: "29 22 0:25 /other /mnt rw - cgroup2 cgroup2 rw\n", membership: "0::/../../elsewhere\n")
        #expect(groups.directories == ["/mnt"])
    }

    @Test func findsNothingWithoutAMount() {
        #expect(ControlGroups(mountInfo: "", membership: "0::/\n").directories.isEmpty)
        #expect(ControlGroups(mountInfo: "garbage\n - \n", membership: "garbage").directories.isEmpty)
    }

    @Test func readsQuotas() {
        #expect(ControlGroups.cores(cpuMax: "50000 100000\n") == 0.5)
        #expect(ControlGroups.cores(cpuMax: "max 100000\n") == nil)
        #expect(ControlGroups.cores(quota: "-1\n", period: "100000\n") == nil)
        #expect(ControlGroups.cores(quota: "250000\n", period: "100000\n") == 2.5)
    }
}
