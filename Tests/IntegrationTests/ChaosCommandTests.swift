import TestSupport
import Testing

/// `embedd chaos` of the real binary: a process that starves itself and says so.
@Suite(.serialized) struct ChaosCommandTests {
    private func chaos(_ words: String...) async throws -> CommandResult {
        try await ChaosDrill.run(words)
    }

    @Test(arguments: [
        ("lock", "utility", "blocked", "utility", "chaosLock(_:) Chaos.swift:"),
        ("dispatch", "default", "gcd_contention", "default", "chaosDispatch(until:) Chaos.swift:"),
        ("compute", "default", "cpu_saturated", "default", ""),
        ("serial", "default", "thread_limit", "overcommit", "chaosSerial(until:) Chaos.swift:"),
    ])
    func tellsWhatTheMonitorSaw(fault: String, pool: String, cause: String, stalled: String, site: String) async throws
    {
        let result = try await chaos(fault, "--pool", pool)
        #expect(result.text.contains("mode        full: threads, stacks, names\n"), "\(result.text)")
        #expect(result.text.contains("verdict     \(cause) ("), "\(result.text)")
        #expect(result.text.contains(" %) at \(stalled), as expected\n"), "\(result.text)")
        #expect(result.text.contains(#/seen after  [0-9.]+ s\n/#))
        #expect(result.text.contains(#/lasted      [0-9.]+ s\n/#))
        #expect(site.isEmpty || result.text.contains("x \(site)"), "\(result.text)")
        #expect(result.exitStatus == 0)
        #expect(result.errorText.isEmpty)
    }

    @Test func aFaultThatStopsNothingIsNotReported() async throws {
        let result = try await chaos("sleep", "--workers", "1", "--pool", "background", "--seconds", "0.1")
        #expect(result.text.contains("verdict     none: background was not seen to stand still"), "\(result.text)")
        #expect(result.exitStatus == 1)
    }

    @Test func wordsThatMakeNoSenseAreAUsageError() async throws {
        for words in [["nap"], ["sleep", "--workers", "many"], ["sleep", "--port", "1"]] {
            let result = try await CommandResult.run(serviceBinary.path, ["chaos"] + words)
            #expect(result.exitStatus == 64)
            #expect(result.text.isEmpty)
            #expect(result.errorText.hasPrefix("embedd: chaos: "))
        }
    }

    @Test func bothHelpsTellOfIt() async throws {
        let help = try await CommandResult.run(serviceBinary.path, ["--help"])
        #expect(help.text.contains("embedd chaos FAULT"))
        let own = try await chaos("--help")
        #expect(own.exitStatus == 0)
        #expect(own.text.hasPrefix("Usage: embedd chaos FAULT"))
    }
}
