import HTTPWire
import Synchronization
import TestSupport
import Testing
import Threads

@testable import HTTPServer

/// As `BodyBudgetTests`, for bodies that are inflated.
@Suite(.timeLimit(.minutes(2))) struct CompressedBodyBudgetTests {
    private static let bodyBytes = 4 * 1024 * 1024

    @Test func aCompressedBodyCountsAsWhatItWasCollectedTo() async throws {
        let held = Atomic<Int>(0)
        let pipe = BodyPipe(
            highWaterBytes: 1 << 20, onDemand: {}, onRelease: { held.wrappingSubtract($0, ordering: .relaxed) })
        let compressed = gzipped([UInt8](repeating: 1, count: 100_000))
        held.wrappingAdd(compressed.count, ordering: .relaxed)
        pipe.append(compressed.span)
        pipe.finish()
        let inflation = Inflation(
            limit: 1 << 20, admit: { held.wrappingAdd($0, ordering: .relaxed) },
            release: { held.wrappingSubtract($0, ordering: .relaxed) })
        #expect(try await RequestBody(gzip: pipe, inflation).collect(upTo: 1 << 20).count == 100_000)
        #expect(held.load(ordering: .relaxed) == 100_000)
    }

    @Test func contentIsAdmittedBeforeItIsMade() async throws {
        let admitted = Locked(0)
        let pipe = BodyPipe(highWaterBytes: 1 << 20, onDemand: {})
        pipe.append(gzipped([UInt8](repeating: 1, count: 1 << 20)).span)
        pipe.finish()
        let inflation = Inflation(
            limit: 1 << 20,
            admit: { bytes in
                let total = admitted.withLock { total in
                    total += bytes
                    return total
                }
                if total > 256 * 1024 { throw BodyError.budgetExhausted }
            })
        var made = 0
        await #expect(throws: BodyError.budgetExhausted) {
            for try await piece in RequestBody(gzip: pipe, inflation) {
                made += piece.count
                #expect(made <= admitted.withLock { $0 })
            }
        }
        #expect(made == 256 * 1024)
    }

    @Test func manyBombsStayUnderTheBudgetAndAllGetThrough() async throws {
        let budget = 16 * 1024 * 1024
        let bomb = gzipped([UInt8](repeating: 0, count: Self.bodyBytes))
        try await withServer(
            [echo],
            configure: {
                $0.bodyLimitBytes = Self.bodyBytes
                $0.bodyBudgetBytes = budget
            }
        ) { test in
            let answered = Locked(0)
            let peak = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        let client = try test.client()
                        try await client.send(
                            request("POST", "/echo", "Content-Encoding: gzip", "Content-Length: \(bomb.count)"))
                        try await client.send(bomb)
                        #expect(try await client.receiveResponse().body.count == Self.bodyBytes)
                        answered.withLock { $0 += 1 }
                        try await client.close()
                        return 0
                    }
                }
                group.addTask {
                    var highest = 0
                    while answered.withLock({ $0 }) < 12, !Task.isCancelled {
                        highest = max(highest, test.server.bodyBytesHeld)
                        await Task.yield()
                    }
                    return highest
                }
                return try await group.reduce(0, max)
            }
            await test.recorder.waitUntilClosed(12)
            #expect(test.server.bodyBytesHeld == 0)
            #expect(peak > 0)
            #expect(peak <= budget)
        }
    }

    /// Each has used up its share with compressed bytes, of which none can be given back before some are inflated.
    @Test func streamedBodiesThatFillTheBudgetCompressedAllGetThrough() async throws {
        var generator = SeededGenerator(seed: 1)
        let content = (0..<1_040_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let body = gzipped(content)
        let gate = Signal()
        let streaming = Route(.post, "/stream", name: "stream", streamsBody: true) { request in
            await gate.wait()
            var count = 0
            for try await piece in request.body {
                count += piece.count
            }
            return .text("\(count)")
        }
        try await withServer(
            [streaming, echo],
            configure: {
                $0.bodyLimitBytes = Self.bodyBytes
                // The half that is not kept for the oldest body is what these share.
                $0.bodyBudgetBytes = 2 * Self.bodyBytes
            }
        ) { test in
            try await withThrowingTaskGroup { group in
                for _ in 0..<3 {
                    let client = try test.client()
                    try await client.send(
                        request("POST", "/stream", "Content-Encoding: gzip", "Content-Length: \(body.count)"))
                    group.addTask {
                        try await client.send(body)
                        #expect(try await client.receiveResponse().text == "\(content.count)")
                        try await client.close()
                    }
                }
                // As full as it gets: none of them could take all that it wants to have next.
                while test.server.bodyBytesHeld < 3_000_000, !Task.isCancelled {
                    await Task.yield()
                }
                for _ in 0..<3 { gate.send() }
                try await group.waitForAll()
            }
            await test.recorder.waitUntilClosed(3)
            #expect(test.server.bodyBytesHeld == 0)
        }
    }
}
