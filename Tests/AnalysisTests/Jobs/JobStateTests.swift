import Scheduling
import Testing

@testable import Analysis

@Suite struct JobStateTests {
    private struct Broken: Error {}

    private static let start = ContinuousClock.now

    private func at(_ seconds: Int) -> ContinuousClock.Instant { Self.start + .seconds(seconds) }

    private func job(of count: Int) -> JobState {
        var state = JobState(priority: .batch, now: Self.start)
        for index in 0..<count { _ = state.receive(.image(ImageSource(id: "\(index)", bytes: [])), at: Self.start) }
        return state
    }

    private func failure(_ index: Int) -> JobResult {
        JobResult(index: index, outcome: ImageOutcome(id: nil, result: .failure(Broken())))
    }

    private func take(_ state: inout JobState) -> String? {
        guard case .item(.image(let source)) = state.next() else { return nil }
        return source.id
    }

    private func isWaiting(_ state: inout JobState) -> Bool {
        if case .wait = state.next() { true } else { false }
    }

    private func hasEnded(_ state: inout JobState) -> Bool {
        if case .end = state.next() { true } else { false }
    }

    @Test func picturesAreHandedOutInTheirOrderAndMoreMayCome() throws {
        var state = job(of: 2)
        #expect(take(&state) == "0")
        #expect(take(&state) == "1")
        #expect(isWaiting(&state))
        _ = state.receive(.image(ImageSource(id: "2", bytes: [])), at: Self.start)
        #expect(take(&state) == "2")
        try state.endReceiving(at: at(1))
        #expect(hasEnded(&state))
        #expect(state.end == nil)
    }

    @Test func itIsFinishedWithItsLastResult() throws {
        var state = job(of: 2)
        try state.endReceiving(at: at(1))
        _ = (take(&state), take(&state))
        #expect(state.progress(at: at(1)).state == .running)
        _ = state.finish(failure(1), at: at(2))
        #expect(state.end == nil)
        _ = state.finish(failure(0), at: at(3))
        #expect(state.end == .finished)
        let progress = state.progress(at: at(100))
        #expect(progress.state == .finished)
        #expect((progress.total, progress.done, progress.failed, progress.cancelled) == (2, 0, 2, 0))
        #expect(progress.timeLeft == nil)
    }

    @Test func anEmptyJobIsFinishedAtOnce() throws {
        var state = job(of: 0)
        try state.endReceiving(at: at(0))
        #expect(state.end == .finished)
    }

    @Test func whilePausedNothingIsHandedOutAndTheRateStands() throws {
        var state = job(of: 10)
        try state.endReceiving(at: at(0))
        for index in 0..<4 {
            _ = take(&state)
            _ = state.finish(failure(index), at: at(1))
        }
        try state.pause(at: at(2))
        #expect(isWaiting(&state))
        #expect(state.progress(at: at(50)).state == .paused)
        #expect(state.progress(at: at(50)).rate == 2)
        try state.resume(at: at(100))
        try state.resume(at: at(101))
        #expect(take(&state) == "4")
        // Four in two seconds: the six that are left take three.
        #expect(state.progress(at: at(100)).rate == 2)
        #expect(state.progress(at: at(100)).timeLeft == .seconds(3))
    }

    @Test func aRunThatWasGivenUpHasNoSayAnyMore() {
        var state = job(of: 3)
        _ = take(&state)
        _ = take(&state)
        _ = state.finish(failure(0), at: at(1))
        // One is worked on, one waits.
        state.forget(at: at(2))
        let late = state.finish(failure(1), at: at(3))
        #expect(late == nil)
        #expect(state.end == .cancelled)
        #expect(hasEnded(&state))
        let progress = state.progress(at: at(4))
        #expect((progress.total, progress.failed, progress.cancelled) == (3, 1, 2))
        let isWanted = state.receive(.unreadable(id: nil, Broken()), at: Self.start)
        #expect(!isWanted)
        #expect(throws: JobError.cancelled) { try state.endReceiving(at: at(5)) }
    }

    @Test func aJobThatHasEndedCanNeitherBePausedNorResumed() throws {
        var state = job(of: 0)
        try state.endReceiving(at: at(0))
        #expect(throws: JobError.hasEnded(.finished)) { try state.pause(at: at(1)) }
        #expect(throws: JobError.hasEnded(.finished)) { try state.resume(at: at(1)) }
    }

    @Test func aResultThatNobodyAskedForIsIgnored() {
        var state = job(of: 1)
        let freed = state.finish(failure(0), at: at(1))
        #expect(freed == nil)
        #expect(state.progress(at: at(1)).failed == 0)
    }

    /// What is told of the results after the first `count`; nil if there is nothing yet.
    private func news(_ state: JobState, after count: Int) throws -> [Int]? {
        switch try state.news(after: count) {
        case .results(let results): results.map(\.index)
        case .end: []
        case .wait: nil
        }
    }

    @Test func resultsAreHandedOutInSmallPartsInTheOrderTheyCame() throws {
        var state = job(of: 100)
        #expect(try news(state, after: 0) == nil)
        for _ in 0..<100 { _ = state.next() }
        for index in (0..<100).reversed() { _ = state.finish(failure(index), at: at(1)) }
        #expect(try news(state, after: 0) == Array((36..<100).reversed()))
        #expect(try news(state, after: 64) == Array((0..<36).reversed()))
        #expect(try news(state, after: 100) == nil)
        try state.endReceiving(at: at(2))
        #expect(try news(state, after: 100) == [])
    }

    @Test func whoeverHasNotReadAllOfAForgottenJobIsTold() throws {
        var state = job(of: 2)
        try state.endReceiving(at: at(0))
        _ = (state.next(), state.next())
        _ = (state.finish(failure(0), at: at(1)), state.finish(failure(1), at: at(1)))
        state.forget(at: at(2))
        #expect(throws: JobError.cancelled) { try news(state, after: 1) }
        #expect(try news(state, after: 2) == [])
        #expect(state.progress(at: at(3)).state == .finished)
        #expect(state.progress(at: at(3)).failed == 2)
    }

    @Test func aJobStandsStillWhileItWaitsForItsPicturesToBeSent() throws {
        var state = job(of: 0)
        #expect(state.standsStillSince == at(0))
        state.announcePicture(at: at(1))
        #expect(state.standsStillSince == nil)
        _ = state.receive(.unreadable(id: nil, Broken()), at: at(2))
        #expect(state.standsStillSince == nil)
        _ = state.next()
        #expect(state.standsStillSince == nil)
        _ = state.finish(failure(0), at: at(3))
        #expect(state.standsStillSince == at(3))
    }

    @Test func aJobStandsStillFromItsPauseToItsResumption() throws {
        var state = job(of: 2)
        try state.endReceiving(at: at(1))
        #expect(state.standsStillSince == nil)
        _ = state.next()
        try state.pause(at: at(2))
        // To be paused once more is no progress; a result is.
        try state.pause(at: at(3))
        #expect(state.standsStillSince == at(2))
        _ = state.finish(failure(0), at: at(4))
        #expect(state.standsStillSince == at(4))
        try state.resume(at: at(5))
        #expect(state.standsStillSince == nil)
        _ = state.next()
        _ = state.finish(failure(1), at: at(6))
        #expect(state.standsStillSince == at(6))
    }
}
