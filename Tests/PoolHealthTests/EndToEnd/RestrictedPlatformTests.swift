import Foundation
import TestSupport
import Testing

/// Real processes on platforms that show less: a smaller mode, told once in the log and in the gauge, and never a
/// crash.
///
/// Not without `/proc`, where Dispatch ends every process as soon as work has to wait for a thread.
@Suite(.serialized, .disabled(if: Fixture.isSanitized)) struct RestrictedPlatformTests {
    /// Starts it there, breaks the default pool, and gives what is then reported of that.
    private func stall(_ mode: String, _ binary: URL = Fixture.binary, launcher: [String] = []) async throws
        -> Fixture.Stall
    {
        let fixture = try await Fixture.start(binary: binary, launcher: launcher)
        defer { fixture.stop() }
        #expect(fixture.log.split(separator: "\n").count { $0.contains("\"event\":\"pool_monitor\"") } == 1)
        #expect(fixture.log.contains("\"mode\":\"\(mode)\""), "\(fixture.log)")
        let metrics = try await fixture.client.get("/metrics").body.split(separator: "\n")
        for other in ["full", "frames_only", "none"] {
            #expect(metrics.contains("swift_pool_monitor_mode{mode=\"\(other)\"} \(other == mode ? 1 : 0)"))
        }
        #expect(try await fixture.pools().mode == mode)
        for page in ["/debug/", "/debug/stacks"] { #expect(try await fixture.client.get(page).status == 200) }

        var found: Fixture.Stall?
        // Where the machine itself stood still, nothing else is seen: then once more.
        try await MachineWatch.untilJudged("a lock, mode \(mode)") { machine in
            found = nil
            let before = try await fixture.stalls().last?.number ?? 0
            let answer = try await fixture.client.post("/debug/chaos?fault=lock&seconds=1.2")
            try #require(answer.status == 202)
            let began = ContinuousClock.now
            while found?.duration == nil, .now - began < .seconds(10) {
                found = try await fixture.stalls().first {
                    $0.number > before && $0.pool == "default" && $0.cause != "host_paused"
                }
                try await Task.sleep(for: .milliseconds(20))
            }
            // What was seen then may be the machine's doing.
            if machine.wasBusy { return .machineWasBusy }
            let stoodStill = try await fixture.stalls().contains { $0.number > before && $0.cause == "host_paused" }
            return found == nil && stoodStill ? .pausedUnseen : .judged
        }
        #expect(fixture.child.currentEnding == nil)
        return try #require(found, "no stall: \(fixture.log)")
    }

    @Test(.enabled(if: Restriction.noControlGroups.isPossible, Comment(rawValue: Restriction.impossible)))
    func withoutControlGroupsThereIsNoQuotaAndAllElse() async throws {
        let launcher = Restriction.noControlGroups.launcher
        let stall = try await stall("full", launcher: launcher)
        #expect(stall.cause == "blocked")
        #expect(stall.culprits.first?.site.hasPrefix("chaosLock(_:) Chaos.swift:") == true)
    }

    @Test(.enabled(if: Restriction.hiddenProcesses.isPossible, Comment(rawValue: Restriction.impossible)))
    func aUserWhoSeesNoOtherProcessesSeesHisOwn() async throws {
        let stall = try await stall("full", launcher: Restriction.hiddenProcesses.launcher)
        #expect(stall.cause == "blocked")
        #expect(stall.culprits.first?.site.hasPrefix("chaosLock(_:) Chaos.swift:") == true)
    }

    @Test(.enabled(if: Restriction.noMemoryReading.isPossible, Comment(rawValue: Restriction.impossible)))
    func withoutReadingMemoryAStallIsSeenWithoutItsPlace() async throws {
        let stall = try await stall("none", launcher: Restriction.noMemoryReading.launcher)
        #expect(stall.culprits.isEmpty)
    }

    @Test(.enabled(if: Restriction.hiddenProcesses.isPossible, Comment(rawValue: Restriction.impossible)))
    func aProgramThatItsUserMayNotReadHasFramesWithoutNames() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let binary = folder.file("fixture")
        try FileManager.default.copyItem(at: Fixture.binary, to: binary)
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: binary.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        let stall = try await stall("frames_only", binary, launcher: ["sh", "-c", Restriction.asNobody, "sh"])
        #expect(stall.cause == "blocked")
        #expect(stall.culprits.first?.site.contains("Chaos.swift") == false)
    }

    @Test(.enabled(if: Self.canStrip, "there is no strip(1)"))
    func aStrippedProgramHasFramesWithoutNames() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let binary = folder.file("fixture")
        try FileManager.default.copyItem(at: Fixture.binary, to: binary)
        #expect(try await CommandResult.run("strip", [binary.path]).exitStatus == 0)
        let stall = try await stall("frames_only", binary)
        #expect(stall.cause == "blocked")
        let culprit = try #require(stall.culprits.first)
        #expect(culprit.threads >= 2)
        #expect(!culprit.site.contains("Chaos.swift"))
        #expect(!culprit.site.contains("0x7f"), "an address: \(culprit.site)")
    }

    private static var canStrip: Bool {
        (try? CommandResult.runBlocking("strip", ["--version"]))?.exitStatus == 0
    }
}
