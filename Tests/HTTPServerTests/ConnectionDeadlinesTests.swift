import Testing

@testable import HTTPServer

/// No clock runs here: instants are made up.
@Suite struct ConnectionDeadlinesTests {
    private static let start = ContinuousClock.now
    private static let limits = TimeLimits()

    private func second(_ seconds: Double) -> ContinuousClock.Instant {
        Self.start + .seconds(seconds)
    }

    private func make(_ limits: TimeLimits = limits) -> ConnectionDeadlines {
        ConnectionDeadlines(limits: limits, now: Self.start)
    }

    @Test func nothingExpectedMeansNoDeadline() {
        var deadlines = make()
        #expect(deadlines.next == nil)
        deadlines.expect(.nothing, request: 1, at: second(0))
        #expect(deadlines.next == nil)
        #expect(deadlines.expired(at: second(1e6)) == nil)
    }

    @Test func aSilentConnectionIsIdleForSeventyFiveSeconds() {
        var deadlines = make()
        deadlines.expect(.request, request: 0, at: second(1))
        #expect(deadlines.next == second(76))
        #expect(deadlines.expired(at: second(75.9)) == nil)
        #expect(deadlines.expired(at: second(76)) == .timeout(.idle))
    }

    @Test func theHeadersDeadlineIsAbsolute() {
        var deadlines = make()
        deadlines.expect(.request, request: 0, at: second(0))
        deadlines.expect(.head, request: 0, at: second(50))
        for drip in 51..<60 {
            deadlines.expect(.head, request: 0, at: second(Double(drip)))
        }
        #expect(deadlines.next == second(60))
        #expect(deadlines.expired(at: second(60)) == .timeout(.header))
    }

    @Test func theNextRequestsHeadHasADeadlineOfItsOwn() {
        var deadlines = make()
        deadlines.expect(.head, request: 0, at: second(0))
        // The first head was completed, answered and followed by the beginning of a second one between two looks.
        deadlines.expect(.head, request: 1, at: second(9))
        #expect(deadlines.next == second(19))
    }

    @Test func aBodyMayStandStillForItsGrace() {
        var deadlines = make()
        deadlines.expect(.body(isRead: true), request: 1, at: second(0))
        #expect(deadlines.next == second(10))
        #expect(deadlines.expired(at: second(10)) == .timeout(.bodyRate))
    }

    @Test func eachKibibyteOfABodyBuysASecond() {
        var deadlines = make()
        deadlines.expect(.body(isRead: true), request: 1, at: second(0))
        deadlines.received(1024, at: second(4))
        #expect(deadlines.next == second(11))
        deadlines.received(2048, at: second(10))
        #expect(deadlines.next == second(13))
        // At the minimum rate it goes on for ever, below it ends.
        for tick in 11..<1000 {
            deadlines.received(1024, at: second(Double(tick)))
            #expect(deadlines.expired(at: second(Double(tick))) == nil)
        }
        for tick in 1000..<1010 {
            deadlines.received(512, at: second(Double(tick)))
        }
        #expect(deadlines.expired(at: second(1010)) == .timeout(.bodyRate))
    }

    @Test func aFastBeginningSavesUpNoMoreThanTheStallLimit() {
        var deadlines = make()
        deadlines.expect(.body(isRead: true), request: 1, at: second(0))
        deadlines.received(.max, at: second(1))
        deadlines.received(1 << 30, at: second(2))
        #expect(deadlines.next == second(32))
    }

    @Test func timeInWhichTheServerDoesNotReadIsNotTheClients() {
        var deadlines = make()
        deadlines.expect(.body(isRead: true), request: 1, at: second(0))
        deadlines.expect(.body(isRead: false), request: 1, at: second(4))
        #expect(deadlines.next == nil)
        deadlines.expect(.body(isRead: true), request: 1, at: second(1000))
        #expect(deadlines.next == second(1006))
        deadlines.expect(.body(isRead: false), request: 1, at: second(1005))
        deadlines.expect(.body(isRead: true), request: 1, at: second(2000))
        #expect(deadlines.next == second(2001))
    }

    @Test func aBodyThatWaitsForItsContinueBeginsWithAllOfItsGrace() {
        var deadlines = make()
        deadlines.expect(.body(isRead: false), request: 1, at: second(0))
        deadlines.expect(.body(isRead: true), request: 1, at: second(100))
        #expect(deadlines.next == second(110))
    }

    @Test func theNextBodyInheritsNothing() {
        var deadlines = make()
        deadlines.expect(.body(isRead: true), request: 1, at: second(0))
        deadlines.received(1 << 30, at: second(1))
        deadlines.expect(.body(isRead: true), request: 2, at: second(2))
        #expect(deadlines.next == second(12))
    }

    @Test func bodiesMayTakeTheirTimeWhereNoRateIsSet() {
        var limits = TimeLimits()
        limits.bodyBytesPerSecond = 0
        var deadlines = make(limits)
        deadlines.expect(.body(isRead: true), request: 1, at: second(0))
        deadlines.received(10, at: second(1))
        #expect(deadlines.next == nil)
    }

    @Test func aResponseThatDoesNotMoveExpires() {
        var deadlines = make()
        deadlines.output(isWaiting: true, taken: 0, at: second(0))
        deadlines.output(isWaiting: true, taken: 0, at: second(20))
        #expect(deadlines.next == second(30))
        deadlines.output(isWaiting: true, taken: .max, at: second(29))
        #expect(deadlines.next == second(59))
        #expect(deadlines.expired(at: second(59)) == .timeout(.write))
        deadlines.output(isWaiting: false, taken: 1, at: second(59))
        #expect(deadlines.next == nil)
    }

    @Test func aReaderThatTakesAByteNowAndThenIsCutOff() {
        var deadlines = make()
        deadlines.output(isWaiting: true, taken: 0, at: second(0))
        deadlines.output(isWaiting: true, taken: 1, at: second(29))
        #expect(deadlines.expired(at: second(29)) == nil)
        #expect(deadlines.expired(at: second(30.1)) == .timeout(.write))
    }

    @Test func aReaderAtTheMinimumRateIsServedForEver() {
        var deadlines = make()
        deadlines.output(isWaiting: true, taken: 0, at: second(0))
        // The kernel shows progress in steps.
        for step in 1..<1000 {
            deadlines.output(isWaiting: true, taken: 20 * 1024, at: second(Double(step) * 20))
            #expect(deadlines.expired(at: second(Double(step) * 20 + 9.9)) == nil)
        }
    }

    @Test func anyProgressIsEnoughWhereNoRateIsSet() {
        var limits = TimeLimits()
        limits.writeBytesPerSecond = 0
        var deadlines = make(limits)
        deadlines.output(isWaiting: true, taken: 0, at: second(0))
        deadlines.output(isWaiting: true, taken: 1, at: second(29))
        #expect(deadlines.next == second(59))
        deadlines.output(isWaiting: true, taken: 0, at: second(58))
        #expect(deadlines.next == second(59))
    }

    @Test func aFreshConnectionMayStillBeginWhenTheServerStops() {
        var fresh = make()
        fresh.expect(.request, request: 0, at: second(0))
        let isExtended = fresh.extendsFirstByte(at: second(2))
        #expect(isExtended)
        #expect(fresh.next == second(3))
        #expect(fresh.expired(at: second(3)) == .stop)
        // What has begun has its own deadline.
        fresh.expect(.head, request: 0, at: second(2.5))
        #expect(fresh.next == second(12.5))

        var older = make()
        older.expect(.request, request: 0, at: second(0))
        let isExtendedALittle = older.extendsFirstByte(at: second(9.5))
        #expect(isExtendedALittle)
        #expect(older.next == second(10))
        let isExtendedLate = older.extendsFirstByte(at: second(10))
        #expect(!isExtendedLate)
    }

    @Test func theEarlierOfBothDirectionsCounts() {
        var deadlines = make()
        deadlines.expect(.body(isRead: true), request: 1, at: second(0))
        deadlines.output(isWaiting: true, taken: 0, at: second(-25))
        #expect(deadlines.next == second(5))
        deadlines.output(isWaiting: true, taken: .max, at: second(1))
        #expect(deadlines.next == second(10))
    }

    @Test func lingeringEndsTwoSecondsAfterTheLastByteOrAfterThirtyInAll() {
        var deadlines = make()
        deadlines.expect(.end, request: 1, at: second(0))
        #expect(deadlines.next == second(2))
        deadlines.received(1, at: second(1.5))
        #expect(deadlines.next == second(3.5))
        deadlines.received(1, at: second(29))
        #expect(deadlines.next == second(30))
        #expect(deadlines.expired(at: second(30)) == .linger)
    }
}
