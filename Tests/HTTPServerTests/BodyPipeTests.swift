import Synchronization
import Testing
import Threads

@testable import HTTPServer

@Suite(.timeLimit(.minutes(2))) struct BodyPipeTests {
    private static func pipe(
        highWaterBytes: Int = 10, onDemand: @escaping @Sendable () -> Void = {}
    ) -> BodyPipe {
        BodyPipe(highWaterBytes: highWaterBytes, onDemand: onDemand)
    }

    @Test func keepsWhatComesBeforeAnybodyReads() async throws {
        let pipe = Self.pipe()
        pipe.append([1, 2].span)
        pipe.append([3].span)
        pipe.finish()
        #expect(try await pipe.next() == [1, 2, 3])
        #expect(try await pipe.next() == nil)
        #expect(try await pipe.next() == nil)
    }

    @Test func collectsToTheEnd() async throws {
        let asked = Signal()
        let pipe = Self.pipe { asked.send() }
        pipe.append([1].span)
        async let collected = pipe.collect(upTo: 100, expected: 3)
        await asked.wait()
        pipe.append([2].span)
        pipe.append([3].span)
        pipe.finish()
        #expect(try await collected == [1, 2, 3])
    }

    /// Room for all of it is made with the first large piece, behind what came with the head, and never again.
    @Test func aBodyOfKnownSizeIsNotMoved() async throws {
        let pipe = BodyPipe(highWaterBytes: 1 << 20, expectedBytes: 1 << 20, onDemand: {})
        pipe.append([UInt8](repeating: 1, count: 1000).span)
        pipe.append([UInt8](repeating: 2, count: 100_000).span)
        #expect(pipe.capacity >= 1 << 20)
        #expect(pipe.capacity < 5 << 18)
    }

    @Test func whoReadsInPiecesGetsNoRoomForAll() async throws {
        let pipe = BodyPipe(highWaterBytes: 1 << 20, expectedBytes: 1 << 25, onDemand: {})
        let piece = [UInt8](repeating: 1, count: 100_000)
        pipe.append(piece.span)
        #expect(try await pipe.next() == piece)
        pipe.append(piece.span)
        #expect(pipe.capacity < 1 << 20)
    }

    @Test func collectingStopsOverItsLimit() async throws {
        let pipe = Self.pipe()
        pipe.append([1, 2, 3].span)
        let body = RequestBody(pipe: pipe, contentLength: nil)
        await #expect(throws: BodyError.tooLarge(limit: 2)) { try await body.collect(upTo: 2) }
        let announced = RequestBody(pipe: Self.pipe(), contentLength: 3)
        await #expect(throws: BodyError.tooLarge(limit: 2)) { try await announced.collect(upTo: 2) }
    }

    @Test func isFullFromTheHighWaterMarkOnAndAsksAgainAfterThat() async throws {
        let demands = Atomic<Int>(0)
        let pipe = Self.pipe(highWaterBytes: 3) { demands.wrappingAdd(1, ordering: .relaxed) }
        pipe.append([1, 2].span)
        #expect(!pipe.pausesReading())
        #expect(try await pipe.next() == [1, 2])
        #expect(demands.load(ordering: .relaxed) == 1)
        pipe.append([3, 4, 5].span)
        #expect(pipe.pausesReading())
        #expect(try await pipe.next() == [3, 4, 5])
        #expect(demands.load(ordering: .relaxed) == 2)
        #expect(!pipe.pausesReading())
    }

    @Test func wakesAReaderOnceForAllThatHasCome() async throws {
        let asked = Signal()
        let pipe = Self.pipe { asked.send() }
        async let chunk = pipe.next()
        await asked.wait()
        pipe.append([1, 2].span)
        pipe.append([3].span)
        pipe.deliver()
        #expect(try await chunk == [1, 2, 3])
        pipe.deliver()
        pipe.finish()
        #expect(try await pipe.next() == nil)
    }

    @Test func failsAReaderThatWaits() async throws {
        let asked = Signal()
        let pipe = Self.pipe { asked.send() }
        let reader = Task { try await pipe.next() }
        await asked.wait()
        pipe.fail(.clientGone)
        await #expect(throws: BodyError.clientGone) { try await reader.value }
        await #expect(throws: BodyError.clientGone) { try await pipe.next() }
    }

    @Test func aCancelledReaderGetsACancellationError() async throws {
        let asked = Signal()
        let pipe = Self.pipe { asked.send() }
        let reader = Task { try await pipe.next() }
        await asked.wait()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        // The bytes that come later are still there for another reader.
        pipe.append([1].span)
        #expect(try await pipe.next() == [1])
    }

    /// A client that leaves fails the body and cancels the task, while that may just be about to read.
    @Test func aCancelledReaderOfAFailedBodyGetsACancellationError() async {
        let asked = Locked<BodyPipe?>(nil)
        let pipe = Self.pipe {
            asked.withLock { $0 }?.fail(.clientGone)
            withUnsafeCurrentTask { $0?.cancel() }
        }
        asked.withLock { $0 = pipe }
        defer { asked.withLock { $0 = nil } }
        let reader = Task { try await pipe.next() }
        await #expect(throws: CancellationError.self) { try await reader.value }
    }

    @Test func cancellingAtAnyMomentNeverHangs() async throws {
        for _ in 0..<2000 {
            let pipe = Self.pipe()
            let reader = Task { try await pipe.next() }
            reader.cancel()
            _ = await reader.result
        }
    }

    @Test func aSecondReaderAtTheSameTimeIsRefused() async throws {
        let asked = Signal()
        let pipe = Self.pipe { asked.send() }
        let reader = Task { try await pipe.next() }
        await asked.wait()
        await #expect(throws: BodyError.alreadyConsumed) { try await pipe.next() }
        pipe.finish()
        #expect(try await reader.value == nil)
    }
}
