import Testing

@testable import Analysis

@Suite struct JobLedgerTests {
    private var ledger = JobLedger(limit: 100)

    /// Lets a picture in that finds room at once.
    private mutating func fill(_ account: JobLedger.Account, picture bytes: Int) {
        let place = ledger.enter(picture: bytes, of: account)
        let verdict = ledger.decide(place)
        #expect(verdict == .granted)
        ledger.leave(place)
    }

    private mutating func fill(_ account: JobLedger.Account, result bytes: Int) {
        fill(account, picture: bytes)
        ledger.exchange(picture: bytes, forResult: bytes, of: account)
    }

    @Test mutating func nobodyOvertakesWhoeverCameBefore() {
        let (large, small, other) = (ledger.open(), ledger.open(), ledger.open())
        fill(other, result: 10)
        fill(small, picture: 50)
        let first = ledger.enter(picture: 50, of: large)
        let second = ledger.enter(picture: 10, of: small)
        var verdicts = [ledger.decide(second), ledger.decide(first)]
        #expect(verdicts == [.wait, .wait])
        // Nor when there is room for the second and not for the first.
        ledger.exchange(picture: 50, forResult: 45, of: small)
        verdicts = [ledger.decide(second), ledger.decide(first)]
        #expect(verdicts == [.wait, .needsRoom])
        ledger.close(other)
        verdicts = [ledger.decide(second), ledger.decide(first)]
        #expect(verdicts == [.wait, .granted])
        ledger.leave(first)
        let last = ledger.decide(second)
        // The first one's picture will make room.
        #expect(last == .wait)
        #expect(ledger.byteCount == 95)
    }

    @Test mutating func onlyPicturesThatAreWorkedOnMakeRoom() {
        let (paused, other) = (ledger.open(), ledger.open())
        fill(paused, picture: 80)
        let place = ledger.enter(picture: 30, of: other)
        var verdict = ledger.decide(place)
        #expect(verdict == .wait)
        ledger.setPaused(true, paused)
        verdict = ledger.decide(place)
        #expect(verdict == .needsRoom)
        let error = ledger.refuse(place)
        #expect(error == .noRoom(limitBytes: 100))
    }

    @Test mutating func aClosedJobsPicturesAreTurnedAwayAndAllIsFree() {
        let (closed, other) = (ledger.open(), ledger.open())
        fill(other, picture: 50)
        fill(closed, picture: 50)
        let place = ledger.enter(picture: 30, of: closed)
        ledger.close(closed)
        let verdict = ledger.decide(place)
        #expect(verdict == .closed)
        #expect(ledger.byteCount == 50)
        // What its run says afterwards.
        ledger.exchange(picture: 50, forResult: 10, of: closed)
        #expect(ledger.byteCount == 50)
    }

    @Test mutating func whoeverIsToBlameIsToldSo() {
        let (large, other) = (ledger.open(), ledger.open())
        fill(large, result: 60)
        fill(other, result: 40)
        let small = ledger.enter(picture: 20, of: other)
        let tooMuch = ledger.enter(picture: 50, of: large)
        var verdict = ledger.decide(small)
        #expect(verdict == .needsRoom)
        var error = ledger.refuse(small)
        #expect(error == .noRoom(limitBytes: 100))
        ledger.leave(small)
        // The one that was refused will be closed.
        verdict = ledger.decide(tooMuch)
        #expect(verdict == .wait)
        ledger.close(other)
        verdict = ledger.decide(tooMuch)
        #expect(verdict == .needsRoom)
        error = ledger.refuse(tooMuch)
        #expect(error == .tooLarge(limitBytes: 100))
    }

    @Test mutating func aPictureThatIsLargerThanAllOfItIsLetInAlone() {
        fill(ledger.open(), picture: 1000)
        #expect(ledger.byteCount == 1000)
    }

    @Test func aResultCountsItsID() {
        func size(_ id: String?) -> Int {
            JobResult(index: 0, outcome: ImageOutcome(id: id, result: .failure(JobError.cancelled))).byteCount
        }
        #expect(size("äb") == size(nil) + 3)
    }
}
