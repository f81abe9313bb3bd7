import Foundation
import TestSupport
import Testing

/// Faults that come after seconds in which nothing has happened, and are asked about when they are over: idle pools are
/// probed seldom, and no request wakes anything up before.
extension StarvationTests {
    struct QuietFault: Sendable, CustomTestStringConvertible {
        let name: String
        let cause: String
        /// The function that blocks.
        var function: String?

        var testDescription: String { name }
    }

    /// The time from the process's start on in which it finds out what it can see, and then is at rest. It ends in the
    /// middle between two of the looks that come once a second.
    private static let quietSeconds = 4.5

    @Test(arguments: [
        QuietFault(name: "sleep", cause: "blocked", function: "chaosSleep(until:) Chaos.swift:"),
        QuietFault(name: "compute", cause: "cpu_saturated"),
        QuietFault(name: "ask", cause: "blocked", function: "askAgain(until:) Main.swift:"),
    ])
    func aFaultInAQuietProcessIsSeenAsSoon(_ fault: QuietFault) async throws {
        try await MachineWatch.untilJudged(fault.name) { try await Self.judge(fault, $0) }
    }

    private static func judge(_ fault: QuietFault, _ machine: MachineWatch) async throws -> MachineWatch.Attempt {
        let fixture = try await Fixture.start(["--fault", fault.name, "--after", "\(quietSeconds)"])
        defer { fixture.stop() }
        let began = ContinuousClock.now
        // Twenty seconds are a hang guard.
        while fixture.events("pool_stall_over", pool: "default").isEmpty, .now - began < .seconds(20) {
            try await Task.sleep(for: .milliseconds(20))
        }
        let stalls = try await fixture.stalls()
        let stall = stalls.first { $0.pool == "default" }
        if machine.wasBusy { return .machineWasBusy }
        if stalls.contains(where: { $0.cause == "host_paused" }) { return .pausedUnseen }
        let found = try #require(stall, "no stall: \(fixture.log)")
        let start = try #require(fixture.number("at", ofEvent: "fault"))
        let age = try #require(fixture.number("age_ms", ofEvent: "pool_stall", pool: "default"))
        let seenAfter = found.began - start + age / 1_000
        print(
            "quiet \(fault.name): \(found.cause) \(found.confidence), seen after \(seenAfter) s, began at",
            "\(found.began - start) s, lasted \(found.duration ?? 0) s")
        #expect(found.cause == fault.cause, "\(found)")
        // Within 500 ms on a quiet machine; the test's may be busy.
        #expect(seenAfter < 1.2)
        #expect(abs(found.began - start) < 0.6)
        guard let function = fault.function else { return .judged }
        #expect(found.culprits.first?.site.hasPrefix(function) == true, "\(found)")
        // A thread's time is charged to its place also while it stirs.
        let charged = try await fixture.culpritSeconds(at: function)
        #expect(charged > 0.3, "\(charged) s")
        return .judged
    }
}
