import Foundation
import Telemetry
import TestSupport
import Testing

@testable import PoolHealth

@Suite struct HostWatchTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["proc/self", "group"] {
            try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
        }
        try write("proc/self/mountinfo", "29 22 0:25 / /group rw - cgroup2 cgroup2 rw\n")
        try write("proc/self/cgroup", "0::/\n")
        try write("group/cpu.max", "50000 100000\n")
        try throttle(microseconds: 0)
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(to: folder.file(name), atomically: false, encoding: .utf8)
    }

    private func throttle(microseconds: Int) throws {
        try write("group/cpu.stat", "usage_usec 1\nthrottled_usec \(microseconds)\n")
    }

    @Test func ofWhatWasThrottledSinceTheLastReadingATickGetsItsPart() throws {
        let metrics = PoolMetrics(registry: MetricsRegistry(), ledger: CulpritLedger())
        var host = HostWatch(metrics: metrics, gauges: HostGauges(root: folder.url.path))
        #expect(host.quota == 0.5)
        var observation = Observation(now: .milliseconds(100))
        host.observe(into: &observation, tick: 1, elapsed: .milliseconds(100), isUrgent: false)
        #expect(observation.throttled == .zero)

        try throttle(microseconds: 50_000)
        observation.reset(now: .milliseconds(200), oversleep: .zero)
        host.observe(into: &observation, tick: 2, elapsed: .milliseconds(100), isUrgent: false)
        #expect(observation.throttled == .milliseconds(50))

        // Then nine ticks that didn't look.
        try throttle(microseconds: 450_000)
        observation.reset(now: .milliseconds(1_200), oversleep: .zero)
        host.observe(into: &observation, tick: 12, elapsed: .milliseconds(100), isUrgent: false)
        #expect(abs((observation.throttled - .milliseconds(40)).inSeconds) < 1e-6)
        #expect(abs(metrics.throttled.value - 0.45) < 1e-9)
    }
}
