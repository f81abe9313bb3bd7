import Foundation
import Testing

@testable import Scheduling

@Suite struct UsableCoresTests {
    @Test(
        arguments: [
            (4, nil, 4), (4, 2.0, 2), (4, 1.5, 2), (4, 0.25, 1), (2, 8.0, 2), (3, 2.5, 3), (1, 1e300, 1), (0, nil, 1),
            (0, 0.5, 1),
        ] as [(Int, Double?, Int)])
    func countsTheSmallerOfBothRoundedUp(affinity: Int, quota: Double?, count: Int) {
        #expect(UsableCores(affinity: affinity, quota: quota).count == count)
    }

    @Test func thisMachineHasSome() {
        let cores = UsableCores.detect()
        #expect(cores.affinity >= 1)
        #expect(cores.count >= 1)
        #expect(cores.count <= cores.affinity)
        #expect(UsableCores.count() == cores.count)
    }

    @Test func takesTheTightestLimitOfTheUnifiedHierarchy() throws {
        try withFiles([
            "proc/self/mountinfo": "29 22 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
            "proc/self/cgroup": "0::/kubepods/pod1/app\n",
            "sys/fs/cgroup/kubepods/pod1/app/cpu.max": "max 100000\n",
            "sys/fs/cgroup/kubepods/pod1/cpu.max": "150000 100000\n",
            "sys/fs/cgroup/kubepods/cpu.max": "800000 100000\n",
        ]) { root in
            #expect(UsableCores.detect(root: root).quota == 1.5)
        }
    }

    @Test func readsVersionOneInAContainer() throws {
        try withFiles([
            "proc/self/mountinfo": "31 24 0:27 /docker/4f /sys/fs/cgroup/cpu ro master:9 - cgroup cgroup rw,cpu\n",
            "proc/self/cgroup": "4:cpu,cpuacct:/docker/4f\n",
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "250000\n",
            "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        ]) { root in
            #expect(UsableCores.detect(root: root).quota == 2.5)
        }
    }

    @Test func takesTheTighterVersionWhereBothAreMounted() throws {
        try withFiles([
            "proc/self/mountinfo": """
            31 24 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
            34 24 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw

            """,
            "proc/self/cgroup": "4:cpu:/app\n0::/app\n",
            "sys/fs/cgroup/cpu/app/cpu.cfs_quota_us": "300000\n",
            "sys/fs/cgroup/cpu/app/cpu.cfs_period_us": "100000\n",
            "sys/fs/cgroup/unified/app/cpu.max": "400000 100000\n",
        ]) { root in
            #expect(UsableCores.detect(root: root).quota == 3)
        }
    }

    @Test(arguments: [
        [:],
        ["proc/self/mountinfo": "29 22 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"],
        [
            "proc/self/mountinfo": "29 22 0:25 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
            "proc/self/cgroup": "0::/\n",
        ],
        [
            "proc/self/mountinfo": "31 24 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n",
            "proc/self/cgroup": "4:cpu:/\n",
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
            "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        ],
    ])
    func knowsNoQuotaWhereNoneIsSetOrReadable(files: [String: String]) throws {
        try withFiles(files) { root in
            #expect(UsableCores.detect(root: root).quota == nil)
        }
    }

    private func withFiles(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "usable-cores-\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, content) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content.utf8).write(to: file)
        }
        try body(root.path)
    }
}
