import Testing

@testable import PoolHealth

@Suite struct RawStackTests {
    private func stack(_ frames: [UInt], linked: Int, timeslices: UInt64 = 1) -> RawStack {
        RawStack(thread: 1, frames: frames, linked: linked, wait: .sleep, timeslices: timeslices)
    }

    @Test func whoSleepsAgainAndAgainInOneLoopIsInTheSameCalls() {
        let first = stack([0x10, 0x20, 0x30], linked: 1)
        #expect(first.isInCalls(of: stack([0x10, 0x20, 0x30], linked: 1, timeslices: 9)))
        // What earlier calls have left over is no call.
        #expect(first.isInCalls(of: stack([0x10, 0x77, 0x20, 0x30], linked: 2)))
    }

    @Test func anotherCallOrAnotherCallerIsNotTheSame() {
        let first = stack([0x10, 0x20, 0x30], linked: 1)
        #expect(!first.isInCalls(of: stack([0x11, 0x20, 0x30], linked: 1)))
        #expect(!first.isInCalls(of: stack([0x10, 0x20, 0x31], linked: 1)))
        #expect(!first.isInCalls(of: stack([0x10, 0x20], linked: 1)))
    }
}
