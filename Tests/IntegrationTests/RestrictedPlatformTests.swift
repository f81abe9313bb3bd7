import Foundation
import TestSupport
import Testing

/// The service and `embedd chaos` on platforms that show less of the process: they start, say once what is missing, and
/// go on working; or say why they don't.
@Suite(.serialized) struct RestrictedPlatformTests {
    /// Serves a picture there; the monitor's mode that the service tells.
    private func mode(launcher: [String]) async throws -> String {
        let photograph = try #require(try Pictures.photographs().first)
        // Nobody may write beside the models.
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.url.path)
        let flags = ["--inference.cache_path", folder.url.path]
        return try await ServiceProcess.run(flags, launcher: launcher) { service in
            #expect(try await service.post(photograph).status == 200)
            try await untilTrue { service.log.contains("\"event\":\"pool_monitor\"") }
            let lines = try service.events().filter { $0["event"] as? String == "pool_monitor" }
            #expect(lines.count == 1)
            let mode = try #require(lines.first?["mode"] as? String)
            #expect(try await service.metric("swift_pool_monitor_mode{mode=\"\(mode)\"}") == 1)
            return mode
        }
    }

    private func chaos(_ launcher: [String]) async throws -> CommandResult {
        try await ChaosDrill.run(["sleep"], launcher: launcher)
    }

    @Test(.enabled(if: Restriction.noControlGroups.isPossible, Comment(rawValue: Restriction.impossible)))
    func withoutControlGroups() async throws {
        let launcher = Restriction.noControlGroups.launcher
        #expect(try await mode(launcher: launcher) == "full")
        let drill = try await chaos(launcher)
        #expect(drill.text.contains("CPU quota none"))
        #expect(drill.text.contains("x chaosSleep(until:) Chaos.swift:"), "\(drill.text)")
    }

    @Test(.enabled(if: Restriction.hiddenProcesses.isPossible, Comment(rawValue: Restriction.impossible)))
    func withHiddenProcessesAsNobody() async throws {
        let launcher = Restriction.hiddenProcesses.launcher
        #expect(try await mode(launcher: launcher) == "full")
        #expect(try await chaos(launcher).text.contains("x chaosSleep(until:) Chaos.swift:"))
    }

    @Test(.enabled(if: Restriction.noMemoryReading.isPossible, Comment(rawValue: Restriction.impossible)))
    func withoutReadingMemory() async throws {
        let launcher = Restriction.noMemoryReading.launcher
        #expect(try await mode(launcher: launcher) == "none")
        let drill = try await chaos(launcher)
        #expect(drill.text.contains("mode        none: "), "\(drill.text)")
        #expect(drill.text.contains("culprit     none: the platform gives no stacks"), "\(drill.text)")
    }

    @Test(.enabled(if: Restriction.noProc.isPossible, Comment(rawValue: Restriction.impossible)))
    func withoutProcNothingStartsThatDispatchWouldEnd() async throws {
        let launcher = Restriction.noProc.launcher
        let failure = try await #require(throws: ServiceProcess.StartFailure.self) {
            _ = try await mode(launcher: launcher)
        }
        #expect(failure.ending == .exited(1))
        #expect(failure.log.contains("\"event\":\"start_failed\""), "\(failure.log)")
        #expect(failure.log.contains("mount /proc"), "\(failure.log)")

        let drill = try await chaos(launcher)
        #expect(drill.exitStatus == 1)
        #expect(drill.errorText.contains("mount /proc"), "\(drill.errorText)")
    }

    private static var canStrip: Bool {
        (try? CommandResult.runBlocking("strip", ["--version"]))?.exitStatus == 0
    }

    @Test(.enabled(if: Self.canStrip, "there is no strip(1)"))
    func aStrippedBinaryHasFramesWithoutNames() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let binary = folder.file("embedd")
        try FileManager.default.copyItem(at: serviceBinary, to: binary)
        #expect(try await CommandResult.run("strip", [binary.path]).exitStatus == 0)
        let drill = try await ChaosDrill.run(["sleep"], binary: binary.path)
        #expect(drill.text.contains("mode        frames only: "), "\(drill.text)")
        #expect(drill.text.contains("culprit     "), "\(drill.text)")
        #expect(!drill.text.contains("Chaos.swift"), "\(drill.text)")
    }
}
