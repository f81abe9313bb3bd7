import Testing

@testable import Analysis

@Suite struct AdmissionLedgerTests {
    private let limits = AdmissionLimits(images: 4, bytes: 1000, timeout: .seconds(10))

    private func ledger(waiting: Int, of bytes: Int = 10, turn: Duration? = nil) -> AdmissionLedger {
        var ledger = AdmissionLedger(limits: limits, turns: 2)
        if let turn { ledger.turnEnded(after: turn) }
        for _ in 0..<waiting { ledger.join(bytes, .interactive, mayBeRefused: true) }
        return ledger
    }

    @Test func anEmptyLineLetsEverythingIn() {
        #expect(ledger(waiting: 0).refusal(of: 1_000_000, timeLeft: .zero) == nil)
    }

    @Test func theLimitsAreReachedExactly() {
        #expect(ledger(waiting: 3).refusal(of: 1, timeLeft: nil) == nil)
        #expect(ledger(waiting: 4).refusal(of: 1, timeLeft: nil)?.reason == .images)
        #expect(ledger(waiting: 1, of: 900).refusal(of: 100, timeLeft: nil) == nil)
        #expect(ledger(waiting: 1, of: 900).refusal(of: 101, timeLeft: nil)?.reason == .bytes)
    }

    @Test func thoseWhoLeaveMakeRoom() {
        var ledger = ledger(waiting: 4, of: 250)
        ledger.leave(250, .interactive, mayBeRefused: true)
        #expect(ledger.refusal(of: 250, timeLeft: nil) == nil)
        #expect(ledger.waitingImages == 3)
        #expect(ledger.waitingBytes == 750)
    }

    @Test func batchImagesDoNotCountAgainstInteractiveOnes() {
        var ledger = ledger(waiting: 3, of: 10, turn: .seconds(1))
        for _ in 0..<1000 { ledger.join(1_000_000, .batch, mayBeRefused: false) }
        #expect(ledger.refusal(of: 1, timeLeft: .seconds(3)) == nil)
        #expect(ledger.waitingImages == 1003)
        #expect(ledger.estimatedWait == .seconds(1.5))
    }

    @Test func interactiveImagesThatMayNotBeRefusedCountForTheWaitButNotForTheLimits() {
        var ledger = ledger(waiting: 3, of: 10, turn: .milliseconds(10))
        for _ in 0..<100 { ledger.join(1_000_000, .interactive, mayBeRefused: false) }
        #expect(ledger.refusal(of: 970, timeLeft: nil) == nil)
        #expect(ledger.refusal(of: 971, timeLeft: nil)?.reason == .bytes)
        #expect(ledger.waitingImages == 103)
        #expect(ledger.waitingBytes == 100_000_030)
        #expect(ledger.estimatedWait == .milliseconds(515))
        ledger.join(1, .interactive, mayBeRefused: true)
        #expect(ledger.refusal(of: 1, timeLeft: nil)?.reason == .images)
        ledger.leave(1, .interactive, mayBeRefused: true)
        ledger.leave(1_000_000, .interactive, mayBeRefused: false)
        #expect(ledger.refusal(of: 1, timeLeft: nil) == nil)
    }

    @Test func everyEighthTurnMayBeABatchImages() {
        let limits = AdmissionLimits(images: 100, bytes: 1000, timeout: .seconds(100))
        var ledger = AdmissionLedger(limits: limits, turns: 2)
        ledger.turnEnded(after: .seconds(1))
        for _ in 0..<16 { ledger.join(1, .interactive, mayBeRefused: true) }
        ledger.join(1, .batch, mayBeRefused: false)
        #expect(ledger.estimatedWait == .seconds(8.5))
        for _ in 0..<10 { ledger.join(1, .batch, mayBeRefused: false) }
        #expect(ledger.estimatedWait == .seconds(9))
    }

    @Test func withoutAMeasurementNothingIsHopeless() {
        #expect(ledger(waiting: 3).estimatedWait == .zero)
        #expect(ledger(waiting: 3).refusal(of: 1, timeLeft: .milliseconds(1)) == nil)
    }

    @Test func theWaitIsTheLineDividedByTheTurns() {
        // Three wait, two at a time have their turn, each for four seconds.
        let ledger = ledger(waiting: 3, turn: .seconds(4))
        #expect(ledger.estimatedWait == .seconds(6))
    }

    @Test func aTurnThatWouldEndAfterTheDeadlineIsHopeless() {
        // The turn would begin in six seconds and take four.
        let ledger = ledger(waiting: 3, turn: .seconds(4))
        #expect(ledger.refusal(of: 1, timeLeft: .seconds(10)) == nil)
        let refusal = ledger.refusal(of: 1, timeLeft: .seconds(9))
        #expect(refusal == Overload(reason: .hopeless, retryAfter: .seconds(6)))
    }

    @Test func longerThanTheQueuesTimeoutIsHopelessWhateverTheDeadline() {
        #expect(ledger(waiting: 3, turn: .seconds(8)).refusal(of: 1, timeLeft: .seconds(60))?.reason == .hopeless)
        #expect(ledger(waiting: 3, turn: .seconds(6)).refusal(of: 1, timeLeft: .seconds(60)) == nil)
    }

    @Test func theMeanFollowsWhatTurnsTakeNow() {
        var ledger = ledger(waiting: 2, turn: .seconds(8))
        for _ in 0..<200 { ledger.turnEnded(after: .seconds(1)) }
        #expect(abs(ledger.estimatedWait / .seconds(1) - 1) < 0.01)
    }
}
