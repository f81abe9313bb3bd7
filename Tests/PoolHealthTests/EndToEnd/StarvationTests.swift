import Foundation
import TestSupport
import Testing

/// Breaks a real process in every way, and asks it from outside what is wrong. The faults run one after the other, in
/// one process.
@Suite(.serialized, .disabled(if: Fixture.isSanitized)) struct StarvationTests {
    private struct Fault {
        let fault: String
        let pool: String
        let workers: Int
        let cause: String
        /// Where the stall is seen.
        let stalled: String
        /// The function and the call in it that blocks; `nil` if threads compute.
        let site: (function: String, call: String)?

        init(
            _ fault: String, _ pool: String, workers: Int = 0, _ cause: String, at stalled: String? = nil,
            _ site: (String, String)?
        ) {
            self.fault = fault
            self.pool = pool
            self.workers = workers > 0 ? workers : 2 * ProcessInfo.processInfo.processorCount
            self.cause = cause
            self.stalled = stalled ?? pool
            self.site = site.map { (function: $0.0, call: $0.1) }
        }
    }

    private static let seconds = 1.4
    private static let faults = [
        Fault("sleep", "user_initiated", "blocked", ("chaosSleep", "nanosleep")),
        Fault("sleep", "default", "blocked", ("chaosSleep", "nanosleep")),
        Fault("sleep", "utility", "blocked", ("chaosSleep", "nanosleep")),
        Fault("sleep", "background", "blocked", ("chaosSleep", "nanosleep")),
        Fault("lock", "default", "blocked", ("chaosLock", "pthread_mutex_lock")),
        Fault("lock", "background", "blocked", ("chaosLock", "pthread_mutex_lock")),
        Fault("semaphore", "user_initiated", "blocked", ("chaosSemaphore", "semaphore.wait")),
        Fault("semaphore", "utility", "blocked", ("chaosSemaphore", "semaphore.wait")),
        Fault("read", "default", "blocked", ("chaosRead", "read")),
        Fault("read", "background", "blocked", ("chaosRead", "read")),
        Fault("compute", "default", "cpu_saturated", nil),
        Fault("compute", "utility", "cpu_saturated", nil),
        Fault("dispatch", "default", workers: 20, "gcd_contention", ("chaosDispatch", "clock_nanosleep")),
        Fault("dispatch", "utility", workers: 20, "gcd_contention", ("chaosDispatch", "clock_nanosleep")),
        Fault("serial", "default", workers: 300, "thread_limit", at: "overcommit", ("chaosSerial", "poll")),
    ]

    @Test func everyFaultIsNamedWithItsPlace() async throws {
        let fixture = try await Fixture.start()
        defer { fixture.stop() }
        #expect(try await fixture.pools().mode == "full")
        let began = ContinuousClock.now
        while try await !fixture.pools().parking_known, .now - began < .seconds(20) {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try await fixture.pools().parking_known)
        for fault in Self.faults { try await Self.check(fault, fixture) }
    }

    /// On a machine that stood still, or had no time for this process either, nobody can tell how soon a fault is seen:
    /// then it is made again.
    private static func check(_ fault: Fault, _ fixture: Fixture) async throws {
        try await MachineWatch.untilJudged("\(fault.fault) \(fault.pool)") { machine in
            try await judge(fault, fixture, machine)
        }
    }

    private static func judge(
        _ fault: Fault, _ fixture: Fixture, _ machine: MachineWatch
    ) async throws -> MachineWatch.Attempt {
        try await calm(fixture)
        let before = try await fixture.stalls().last?.number ?? 0
        let began = ContinuousClock.now
        let answer = try await fixture.client.post(
            "/debug/chaos?fault=\(fault.fault)&pool=\(fault.pool)&workers=\(fault.workers)&seconds=\(seconds)")
        try #require(answer.status == 202, "\(answer)")

        var detected: Duration?
        var slowestScrape = Duration.zero
        var stall: Fixture.Stall?
        // The end is a hang guard: usually it is over after two seconds.
        while stall?.duration == nil, .now - began < .seconds(20) {
            let scrape = try await fixture.client.get("/metrics")
            slowestScrape = max(slowestScrape, scrape.elapsed)
            stall = try await fixture.stalls().first { $0.number > before && $0.pool == fault.stalled }
            if stall != nil, detected == nil { detected = .now - began }
            try await Task.sleep(for: .milliseconds(20))
        }
        if stall == nil, machine.wasBusy { return .machineWasBusy }
        let found = try #require(stall, "no stall: \(fault.fault) \(fault.pool), \(fixture.log)")
        let site = found.culprits.first?.site ?? "-"
        print(
            "\(fault.fault) \(fault.pool): \(found.cause) \(found.confidence), seen after \(detected ?? .zero), ",
            "lasted \(found.duration ?? 0) of \(seconds), slowest scrape \(slowestScrape), \(site)")
        let stoodStill = try await fixture.stalls().contains { $0.number > before && $0.cause == "host_paused" }
        if machine.wasBusy { return .machineWasBusy }
        if stoodStill { return .pausedUnseen }
        #expect(found.cause == fault.cause, "\(fault.fault) \(fault.pool): \(found)")
        // Within 500 ms, 150 ms and 100 ms on a quiet machine; the test's may be busy.
        #expect(try #require(detected) < .seconds(1.2))
        #expect(abs(try #require(found.duration) - seconds) < 0.6)
        #expect(slowestScrape < .seconds(1))
        #expect(found.requests.map(\.stage) == ["decode"])
        guard let expected = fault.site else { return .judged }
        let culprit = try #require(found.culprits.first)
        let line = try #require(try ChaosSource.line(of: expected.call, in: expected.function))
        #expect(
            culprit.site.hasPrefix(expected.function + "(") && culprit.site.hasSuffix(" Chaos.swift:\(line)"),
            "\(culprit.site) is not \(expected.function) line \(line)")
        return .judged
    }

    /// Waits until nothing of the fault before is left.
    private static func calm(_ fixture: Fixture) async throws {
        let began = ContinuousClock.now
        while .now - began < .seconds(20) {
            let isOver = try await fixture.stalls().allSatisfy { $0.duration != nil }
            let isIdle = try await fixture.pools().pools.allSatisfy { $0.blocked + $0.running + $0.runnable <= 1 }
            if isOver, isIdle { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        // A few ticks, so that the next stall's beginning is measured from an answered probe.
        try await Task.sleep(for: .milliseconds(500))
    }

    @Test func aStoppedProcessIsAPauseAndNothingElse() async throws {
        try await MachineWatch.untilJudged("a pause") { try await judgeAPause($0) }
    }

    private func judgeAPause(_ machine: MachineWatch) async throws -> MachineWatch.Attempt {
        let fixture = try await Fixture.start()
        defer { fixture.stop() }
        try await Task.sleep(for: .milliseconds(500))
        let before = try await fixture.stalls().last?.number ?? 0
        let stopped = ContinuousClock.now
        kill(fixture.child.identifier, SIGSTOP)
        usleep(2_000_000)
        kill(fixture.child.identifier, SIGCONT)
        let length = (ContinuousClock.now - stopped) / .seconds(1)
        let continued = ContinuousClock.now
        while try await !fixture.stalls().contains(where: { $0.number > before && $0.cause == "host_paused" }),
            .now - continued < .seconds(20)
        {
            try await Task.sleep(for: .milliseconds(20))
        }
        // What else would be reported of it.
        try await Task.sleep(for: .seconds(1))
        let stalls = try await fixture.stalls().filter { $0.number > before }
        if machine.wasBusy { return .machineWasBusy }
        #expect(stalls.contains { $0.pool == "process" && abs(($0.duration ?? 0) - length) < 0.5 }, "\(stalls)")
        #expect(stalls.allSatisfy { $0.cause == "host_paused" && $0.culprits.isEmpty }, "\(stalls)")
        return .judged
    }

    @Test func readinessFailsWhenAStallIsSevereAndComesBack() async throws {
        let fixture = try await Fixture.start()
        defer { fixture.stop() }
        #expect(try await fixture.client.get("/readyz").status == 200)
        _ = try await fixture.client.post("/debug/chaos?fault=sleep&workers=16&seconds=10")
        let began = ContinuousClock.now
        let reason = "default stands still: blocked, at chaosSleep(until:)"
        var isRefused = false
        while !isRefused, .now - began < .seconds(20) {
            let answer = try await fixture.client.get("/readyz")
            isRefused = answer.status == 503 && answer.body.contains(reason)
            #expect(try await fixture.client.get("/livez").status == 200)
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(isRefused)
        while try await fixture.client.get("/readyz").status != 200, .now - began < .seconds(60) {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try await fixture.client.get("/readyz").status == 200)
        #expect(fixture.log.contains("\"event\":\"pool_stall_severe\""))
    }

    @Test func allStacksAreToldWhileEverythingIsStuck() async throws {
        let fixture = try await Fixture.start()
        defer { fixture.stop() }
        for pool in ["user_initiated", "default", "utility", "background"] {
            _ = try await fixture.client.post("/debug/chaos?fault=sleep&workers=16&seconds=30&pool=\(pool)")
        }
        _ = try await fixture.client.post("/debug/chaos?fault=serial&workers=300&seconds=30")
        let began = ContinuousClock.now
        let active = "swift_pool_stall_active{pool=\"default\",cause=\"blocked\"} 1"
        var isSeen = false
        while !isSeen, .now - began < .seconds(20) {
            let stalls = try await fixture.client.get("/debug/stalls").body
            let metrics = try await fixture.client.get("/metrics").body
            isSeen = stalls.contains("chaosSleep(until:) Chaos.swift:") && metrics.contains(active)
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(isSeen)
        let stacks = try await fixture.client.get("/debug/stacks")
        #expect(stacks.status == 200)
        #expect(stacks.body.contains("chaosSerial(until:) Chaos.swift:"))
        #expect(stacks.body.contains("pool-monitor, state"))
        print("all stacks in \(stacks.elapsed)")
    }

    @Test func endsItselfIfThatIsAskedFor() async throws {
        // Later than the place is named.
        let fixture = try await Fixture.start(["--abort-after", "8"])
        _ = try await fixture.client.post("/debug/chaos?fault=sleep&workers=16&seconds=20")
        #expect(await fixture.child.ended() == .killed(signal: SIGABRT))
        #expect(fixture.log.contains("\"event\":\"pool_abort\""))
        #expect(fixture.log.contains("chaosSleep(until:) Chaos.swift:"))
    }
}
