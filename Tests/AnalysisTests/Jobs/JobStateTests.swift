import Scheduling
import Testing

@testable import Analysis

@Suite struct JobStateTests {
    private struct Broken: Error {}

    private static let start = ContinuousClock.now

    private func at(_ seconds: Int) -> ContinuousClock.Instant { Self.start + .seconds(seconds) }

    private func job(of count: Int) -> JobState {
        var state = JobState(priority: .batch, now: Self.start)
        for index in 0..<count { _ = state.receive(.image(ImageSource(id: "\(index)", bytes: []))) }
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

    @Test func picturesAreHandedOutInTheirOrderAndMoreMayCome() {
        var state = job(of: 2)
        #expect(take(&state) == "0")
        #expect(take(&state) == "1")
        #expect(isWaiting(&state))
        _ = state.receive(.image(ImageSource(id: "2", bytes: [])))
        #expect(take(&state) == "2")
        state.endReceiving(at: at(1))
        #expect(hasEnded(&state))
        #expect(state.end == nil)
    }

    @Test func itIsFinishedWithItsLastResult() {
        var state = job(of: 2)
        state.endReceiving(at: at(1))
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

    @Test func anEmptyJobIsFinishedAtOnce() {
        var state = job(of: 0)
        state.endReceiving(at: at(0))
        #expect(state.end == .finished)
    }

    @Test func whilePausedNothingIsHandedOutAndTheRateStands() throws {
        var state = job(of: 10)
        state.endReceiving(at: at(0))
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
        let abandonedBytes = state.cancel(at: at(2))
        #expect(abandonedBytes == 2 * ImageItem.unreadable(id: nil, Broken()).byteCount)
        let late = state.finish(failure(1), at: at(3))
        #expect(late == nil)
        #expect(state.end == .cancelled)
        #expect(hasEnded(&state))
        let progress = state.progress(at: at(4))
        #expect((progress.total, progress.failed, progress.cancelled) == (3, 1, 2))
        let isWanted = state.receive(.unreadable(id: nil, Broken()))
        #expect(!isWanted)
        let secondTime = state.cancel(at: at(5))
        #expect(secondTime == 0)
    }

    @Test func aJobThatHasEndedCanNeitherBePausedNorResumed() {
        var state = job(of: 0)
        state.endReceiving(at: at(0))
        #expect(throws: JobError.hasEnded(.finished)) { try state.pause(at: at(1)) }
        #expect(throws: JobError.hasEnded(.finished)) { try state.resume(at: at(1)) }
    }

    @Test func aResultThatNobodyAskedForIsIgnored() {
        var state = job(of: 1)
        let freed = state.finish(failure(0), at: at(1))
        #expect(freed == nil)
        #expect(state.results.isEmpty)
    }
}
