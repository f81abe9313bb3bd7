import Scheduling
import Testing

@Suite struct ResumeOnceTests {
    private struct Broken: Error {}

    @Test func keepsAValueThatComesBeforeTheContinuation() async throws {
        let once = ResumeOnce<Int>()
        #expect(!once.isResumed)
        #expect(once.resume(returning: 1))
        #expect(once.isResumed)
        #expect(!once.resume(returning: 2))
        #expect(try await once.value() == 1)
        #expect(once.isResumed)
        #expect(!once.resume(returning: 3))
    }

    @Test func keepsAnErrorThatComesBeforeTheContinuation() async {
        let once = ResumeOnce<Int>()
        #expect(once.resume(throwing: Broken()))
        #expect(!once.resume(returning: 2))
        await #expect(throws: Broken.self) { try await once.value() }
    }

    @Test func deliversInsideTheCallThatAttaches() async throws {
        let once = ResumeOnce<Int>()
        let value = try await withCheckedThrowingContinuation { continuation in
            once.attach(continuation)
            #expect(once.resume(returning: 7))
            #expect(!once.resume(throwing: Broken()))
        }
        #expect(value == 7)
    }

    @Test func theFirstOfManySidesWins() async throws {
        for _ in 0..<500 {
            let once = ResumeOnce<Int>()
            let winners = EventLog<Int>()
            async let received = once.value()
            await withTaskGroup { group in
                for side in 0..<4 {
                    group.addTask {
                        if once.resume(returning: side) {
                            winners.append(side)
                        }
                    }
                }
            }
            let value = try await received
            #expect(winners.events == [value])
        }
    }
}
