import Imaging
import Scheduling
import TestSupport
import Testing
import Threads

@testable import Analysis

@Suite struct StreamTests {
    private struct ReaderGone: Error {}
    private struct Unreadable: Error {}

    /// Counts how many items were asked for.
    private func items(_ count: Int, asked: Locked<Int>) -> AsyncStream<ImageItem> {
        AsyncStream {
            asked.withLock { asked in
                guard asked < count else { return nil }
                asked += 1
                return .image(ImageSource(id: "\(asked)", bytes: Array("no picture".utf8)))
            }
        }
    }

    @Test func everyItemIsReportedWithItsPositionAndItsOwnOutcome() async throws {
        let test = try TestAnalyzer()
        let items = AsyncStream<ImageItem> { continuation in
            continuation.yield(.image(TestAnalyzer.cat(1)))
            continuation.yield(.unreadable(id: "x", Unreadable()))
            continuation.yield(.image(ImageSource(id: "t", bytes: Array("text".utf8))))
            continuation.yield(.image(TestAnalyzer.cat(2)))
            continuation.finish()
        }
        let outcomes = Locked<[Int: ImageOutcome]>([:])
        try await test.analyzer.analyze(stream: items) { index, outcome in
            outcomes.withLock { $0[index] = outcome }
        }
        let found = outcomes.withLock { $0 }
        #expect(found.keys.sorted() == [0, 1, 2, 3])
        #expect(found[0]?.id == "1")
        #expect(try found[3]?.result.get().embedding.count == 1280)
        #expect(throws: Unreadable.self) { try found[1]?.result.get() }
        #expect(throws: ImagingError.self) { try found[2]?.result.get() }
    }

    @Test func aSlowReaderSlowsTheIntake() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let asked = Locked(0)
        let gate = CancellableSemaphore(permits: 1)
        try await gate.acquire()
        let stream = items(1000, asked: asked)
        let reported = Locked(0)
        let task = Task {
            try await test.analyzer.analyze(stream: stream) { _, _ in
                try await gate.withPermits {}
                reported.withLock { $0 += 1 }
            }
        }
        let window = test.turns * 2
        try await eventually("the window is full") { gate.waiting == window }
        #expect(asked.withLock { $0 } == window)
        gate.release()
        try await task.value
        #expect(reported.withLock { $0 } == 1000)
    }

    @Test func aReaderThatLeavesEndsTheIntake() async throws {
        let test = try TestAnalyzer(decodeThreads: 1)
        let asked = Locked(0)
        let stream = items(100_000, asked: asked)
        await #expect(throws: ReaderGone.self) {
            try await test.analyzer.analyze(stream: stream) { index, _ in
                if index == 10 { throw ReaderGone() }
            }
        }
        #expect(asked.withLock { $0 } < 100_000)
        #expect(test.isIdle)
    }

    @Test func aBatchesFilesWaitForRoomBehindInteractiveOnes() async throws {
        // Room for one file.
        let test = try TestAnalyzer(
            decodeThreads: 1,
            AnalyzerConfiguration(admission: AdmissionLimits(bytes: TestAnalyzer.cat.count * 3 / 2)))
        let room = test.analyzer.streamBytes
        let streams = try await test.withLaneHeldUp {
            let holder = stream(of: TestAnalyzer.cat(1), .batch, in: test)
            try await eventually("the room is taken") { test.lane.queued == 1 }
            let batch = stream(of: TestAnalyzer.cat(2), .batch, in: test)
            try await eventually("it waits") { room.waiting(.batch) == 1 }
            let interactive = stream(of: TestAnalyzer.cat(3), .interactive, in: test)
            try await eventually("it waits in the line before") { room.waiting(.interactive) == 1 }
            return [holder, batch, interactive]
        }
        for stream in streams { try await stream.value }
    }

    private func stream(
        of source: ImageSource, _ priority: WaitPriority, in test: TestAnalyzer
    ) -> Task<Void, any Error> {
        let items = AsyncStream<ImageItem> { continuation in
            continuation.yield(.image(source))
            continuation.finish()
        }
        let urgency = Urgency(priority: priority, deadline: nil, mayBeRefused: false)
        return Task { try await test.analyzer.analyze(stream: items, urgency) { _, _ in } }
    }
}
