import Testing

@testable import PoolHealth

@Suite struct ProcessActivityTests {
    private let before = ProcessActivity.Totals(
        switchesOfOthers: 1_000, cpuMicrosecondsOfOthers: 50_000, switchesOfCaller: 10)

    private func mayHaveRun(switches: Int64 = 0, cpu: Int64 = 0, own: Int64 = 1) -> Bool {
        var now = before
        now.switchesOfOthers += switches
        now.cpuMicrosecondsOfOthers += cpu
        now.switchesOfCaller += own
        return ProcessActivity.othersMayHaveRun(before: before, now: now)
    }

    @Test func nothingHasRunIfNobodyWasSwitchedAndNoTimeUsed() {
        #expect(!mayHaveRun())
    }

    @Test func aThreadThatWokeUpAndSleepsAgainWasSwitched() {
        #expect(mayHaveRun(switches: 1))
    }

    @Test func aThreadThatComputesUsesTime() {
        #expect(mayHaveRun(cpu: 100_000))
    }

    @Test func theCallersOwnTimeBetweenTheReadingsIsNotMistaken() {
        #expect(!mayHaveRun(cpu: 5))
        #expect(!mayHaveRun(cpu: -5))
    }

    @Test func whereSwitchesAreNotCountedNothingIsCertain() {
        #expect(mayHaveRun(own: 0))
    }

    @Test func theFirstReadingAndAFailedOneTellNothing() {
        #expect(ProcessActivity.othersMayHaveRun(before: nil, now: before))
        #expect(ProcessActivity.othersMayHaveRun(before: before, now: nil))
    }
}
