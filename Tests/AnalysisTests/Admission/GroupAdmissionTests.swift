import Analysis
import Scheduling
import TestSupport
import Testing

@Suite struct GroupAdmissionTests {
    /// A picture, and then an upload that goes on until nobody wants it any more.
    private struct OngoingUpload: AsyncSequence, AsyncIteratorProtocol {
        var first: ImageSource?

        func makeAsyncIterator() -> Self { self }

        mutating func next() async throws -> ImageItem? {
            if let first {
                self.first = nil
                return .image(first)
            }
            do {
                try await eventually("nobody wants the rest") { Task.isCancelled }
            } catch {
                Issue.record(error)
            }
            throw CancellationError()
        }
    }

    private func test(threads: Int = 1, _ admission: AdmissionLimits) throws -> TestAnalyzer {
        try TestAnalyzer(decodeThreads: threads, AnalyzerConfiguration(admission: admission))
    }

    private func group(_ sources: [ImageSource]) -> AsyncStream<ImageItem> {
        AsyncStream { continuation in
            for source in sources { continuation.yield(.image(source)) }
            continuation.finish()
        }
    }

    @Test func aGroupThatWasLetInGoesThroughALineThatIsShorterThanIt() async throws {
        let test = try test(threads: 2, .patient(images: 1))
        let (holders, outcomes) = try await test.withLaneHeldUp {
            let holders = try await test.takeTurns(test.turns - 1)
            let group = group((300..<310).map(TestAnalyzer.cat))
            let outcomes = Task { try await test.analyzer.analyze(group: group) }
            // One has the last turn; of the others as many stand in the line, which has one place, as there are turns.
            try await eventually("they wait") { test.analyzer.load.waitingImages == test.turns - 1 }
            #expect(test.analyzer.load.waitingImages > 1)
            return (holders, outcomes)
        }
        #expect(try await outcomes.value.allSatisfy { (try? $0.result.get()) != nil })
        for holder in holders { _ = try await holder.value }
        #expect(test.isIdle)
    }

    @Test func aGroupIsRefusedWithItsFirstPictureThatHasToWait() async throws {
        let test = try test(.patient(images: 1))
        try await test.withLaneHeldUp {
            var tasks = try await test.takeTurns()
            tasks.append(Task { try await test.analyzer.analyze(TestAnalyzer.cat(100)) })
            try await eventually("the line is full") { test.analyzer.load.waitingImages == 1 }
            // What is no picture has not been let in anywhere, so the picture behind it may be refused.
            let group = group([ImageSource(bytes: Array("text".utf8)), TestAnalyzer.cat(400)])
            await #expect(throws: Overload.self) { try await test.analyzer.analyze(group: group) }
            await test.end(tasks)
        }
    }

    @Test func aRefusedGroupTakesInNoMore() async throws {
        let test = try test(.patient(images: 1))
        try await test.withLaneHeldUp {
            var tasks = try await test.takeTurns()
            tasks.append(Task { try await test.analyzer.analyze(TestAnalyzer.cat(100)) })
            try await eventually("the line is full") { test.analyzer.load.waitingImages == 1 }
            let refusal = await #expect(throws: Overload.self) {
                try await test.analyzer.analyze(group: OngoingUpload(first: TestAnalyzer.cat(400))) {
                    Issue.record("not all has arrived")
                }
            }
            #expect(refusal?.reason == .images)
            await test.end(tasks)
        }
        try await eventually("nothing is left") { test.isIdle }
    }

    @Test func aGroupThatWaitsTooLongIsRefused() async throws {
        let test = try test(AdmissionLimits(timeout: .milliseconds(30)))
        let timers = try TimerQueue()
        try await test.withLaneHeldUp {
            let tasks = try await test.takeTurns()
            let group = group((400..<403).map(TestAnalyzer.cat))
            let refusal = await #expect(throws: Overload.self) {
                // The limit is only there to turn a hang into a failure.
                try await timers.withDeadline(.seconds(60)) { try await test.analyzer.analyze(group: group) }
            }
            #expect(refusal?.reason == .timeout)
            try await eventually("none waits any more") { test.analyzer.load.waitingImages == 0 }
            // Whatever of the group was given up, was so for want of room.
            #expect(test.metric("embedd_cancelled_total{stage=\"queue\",reason=\"other\"}") == 0)
            await test.end(tasks)
        }
    }
}
