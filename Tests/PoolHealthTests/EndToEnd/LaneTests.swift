import Foundation
import Testing

/// What is told of a program's own threads, from outside.
@Suite(.serialized, .disabled(if: Fixture.isSanitized)) struct LaneTests {
    @Test func metricsTellOfEachLaneAsOfAPool() async throws {
        let fixture = try await Fixture.start()
        defer { fixture.stop() }
        let metrics = try await fixture.client.get("/metrics").body.split(separator: "\n")
        for series in [
            #"swift_pool_width{pool="worker"} 2"#,
            #"swift_pool_workers{pool="worker",state="parked"} 1"#,
            #"swift_pool_workers{pool="worker",state="blocked"} 1"#,
            #"swift_pool_workers{pool="worker",state="running"} 0"#,
            #"swift_pool_blocked_workers{pool="worker",wait="poll"} 1"#,
            #"swift_pool_blocked_workers{pool="worker",wait="futex"} 0"#,
            #"swift_pool_saturation_ratio{pool="worker"} 0.5"#,
            // Without a thread, and there all the same.
            #"swift_pool_width{pool="nobody"} 0"#,
            #"swift_pool_saturation_ratio{pool="nobody"} 0"#,
        ] {
            #expect(metrics.contains(Substring(series)), "\(series)")
        }
        // Lanes are given no probes, so they can't stall.
        #expect(!metrics.contains { $0.hasPrefix(#"swift_pool_stall_active{pool="worker""#) })
    }

    @Test func bothLooksAndTheStallsTellOfLanes() async throws {
        let fixture = try await Fixture.start()
        defer { fixture.stop() }
        let pools = try await fixture.client.get("/debug/pool").body
        #expect(pools.contains(#/\nworker +0 +0 +1 +1 *\n/#), "\(pools)")
        let stacks = try await fixture.client.get("/debug/stacks").body
        #expect(stacks.contains("worker-0, lane worker, state S, waits for futex"))
        #expect(stacks.contains("worker-1, lane worker, state S, waits for poll"))
        #expect(stacks.contains(#/pool-monitor, state [RS]/#))

        _ = try await fixture.client.post("/debug/chaos?fault=sleep&seconds=20")
        let began = ContinuousClock.now
        while try await fixture.stalls().isEmpty, .now - began < .seconds(20) {
            try await Task.sleep(for: .milliseconds(20))
        }
        let stalls = try await fixture.client.get("/debug/stalls").body
        #expect(stalls.contains("  lane worker: 1 blocked (poll) of 2\n"), "\(stalls)")
        #expect(!stalls.contains("nobody"))
        let json = try await fixture.client.get("/debug/stalls?format=json").body
        #expect(json.contains(#""lanes":[{"lane":"worker","running":0,"runnable":0,"blocked":1,"parked":1}"#))
    }
}
