import Scheduling
import Testing

@Suite struct CancellationCauseTests {
    @Test func onlyTheFirstDeclarationCounts() {
        let cause = CancellationCause()
        #expect(cause.declaration == nil)
        cause.declare(.deadline)
        cause.declare(.clientGone)
        #expect(cause.declaration?.reason == .deadline)
    }

    @Test func theEarlierOfInnerAndOuterCounts() {
        let outer = CancellationCause()
        let inner = CancellationCause(within: outer)
        let now = ContinuousClock.now
        inner.declare(CancellationCause.Declaration(reason: .deadline, instant: now))
        #expect(inner.declaration?.reason == .deadline)
        #expect(outer.declaration == nil)
        outer.declare(CancellationCause.Declaration(reason: .clientGone, instant: now - .seconds(1)))
        #expect(inner.declaration?.reason == .clientGone)
    }

    @Test func aDeadlineDeclaresItselfToItsBodyOnly() async throws {
        let timers = try TimerQueue()
        let outer = CancellationCause()
        await CancellationCause.$current.withValue(outer) {
            await #expect(throws: DeadlineExceeded.self) {
                try await timers.withDeadline(.milliseconds(5)) {
                    let gone = ResumeOnce<Void>()
                    try? await withTaskCancellationHandler {
                        try await gone.value()
                    } onCancel: {
                        gone.resume(returning: ())
                    }
                    #expect(CancellationCause.current?.declaration?.reason == .deadline)
                }
            }
            #expect(CancellationCause.current === outer)
        }
        #expect(outer.declaration == nil)
    }

    @Test func aFlightsRunIsGivenUpForWhatItsLastWaiterLeftFor() async throws {
        let flight = SingleFlight<Int, Void>()
        let found = ResumeOnce<CancellationCause.Reason?>()
        let begun = ResumeOnce<Void>()
        let cause = CancellationCause()
        let task = Task {
            try await CancellationCause.$current.withValue(cause) {
                _ = try await flight.run(1) {
                    let gone = ResumeOnce<Void>()
                    begun.resume(returning: ())
                    try? await withTaskCancellationHandler {
                        try await gone.value()
                    } onCancel: {
                        gone.resume(returning: ())
                    }
                    found.resume(returning: CancellationCause.current?.declaration?.reason)
                }
            }
        }
        try await begun.value()
        cause.declare(.shutdown)
        task.cancel()
        #expect(try await found.value() == .shutdown)
        try await flight.landed()
        #expect(flight.abandoned == 0)
    }
}
