import Testing

@testable import Scheduling

/// Formats: cgroup-v2.rst and sched-bwc.rst of the kernel's documentation.
@Suite struct CPUQuotaTests {
    @Test(
        arguments: [
            ("200000 100000\n", 2.0), ("50000 100000", 0.5), ("150000 100000\n", 1.5), ("max 100000\n", nil),
            ("", nil), ("200000\n", nil), ("0 100000", nil), ("100000 0", nil), ("many few", nil), ("1 2 3", nil),
        ] as [(String, Double?)])
    func readsVersionTwo(content: String, cores: Double?) {
        #expect(CPUQuota.cores(cpuMax: content) == cores)
    }

    @Test(
        arguments: [
            ("400000\n", "100000\n", 4.0), ("25000\n", "50000\n", 0.5), ("-1\n", "100000\n", nil), ("", "100000", nil),
            ("100000", "0", nil), ("100000", "x", nil),
        ] as [(String, String, Double?)])
    func readsVersionOne(quota: String, period: String, cores: Double?) {
        #expect(CPUQuota.cores(quota: quota, period: period) == cores)
    }
}
