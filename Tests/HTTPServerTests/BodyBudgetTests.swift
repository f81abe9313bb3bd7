import HTTPWire
import Synchronization
import Testing
import Threads

@testable import HTTPServer

@Suite(.timeLimit(.minutes(2))) struct BodyBudgetTests {
    private static let bodyBytes = 4 * 1024 * 1024

    @Test func manyUploadsStayUnderTheBudgetAndAllGetThrough() async throws {
        let budget = 16 * 1024 * 1024
        try await withServer(
            [echo],
            configure: {
                $0.bodyLimitBytes = Self.bodyBytes
                $0.bodyBudgetBytes = budget
            }
        ) { test in
            let peak = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        let client = try test.client()
                        try await client.send(request("POST", "/echo", "Content-Length: \(Self.bodyBytes)"))
                        var highest = 0
                        for _ in 0..<16 {
                            try await client.send([UInt8](repeating: 1, count: Self.bodyBytes / 16))
                            highest = max(highest, test.server.bodyBytesHeld)
                        }
                        #expect(try await client.receiveResponse().body.count == Self.bodyBytes)
                        try await client.close()
                        return highest
                    }
                }
                return try await group.reduce(0, max)
            }
            await test.recorder.waitUntilClosed(12)
            #expect(test.server.bodyBytesHeld == 0)
            #expect(peak > 0)
            #expect(peak <= budget)
        }
    }

    @Test func aBodyIsHeldBackUntilAnotherIsOver() async throws {
        let read = Signal()
        let gate = Signal()
        let holding = Route(.post, "/hold", name: "hold") { request in
            let bytes = try await request.body.collect(upTo: Self.bodyBytes)
            read.send()
            await gate.wait()
            return .text("\(bytes.count)")
        }
        try await withServer(
            [holding, echo],
            configure: {
                $0.bodyLimitBytes = Self.bodyBytes
                // Half of it is kept for the oldest body, which holds all the rest.
                $0.bodyBudgetBytes = Self.bodyBytes
            }
        ) { test in
            let holder = try test.client()
            try await holder.send(request("POST", "/hold", "Content-Length: \(Self.bodyBytes)"))
            try await holder.send([UInt8](repeating: 1, count: Self.bodyBytes))
            await read.wait()
            #expect(test.server.bodyBytesHeld == Self.bodyBytes)

            let waiting = try test.client()
            try await waiting.send(request("POST", "/echo", "Content-Length: 5"))
            // What comes together with the head is admitted by nobody.
            await test.recorder.waitUntilStarted(2)
            try await waiting.send("Hello")
            // What has to do with bodies waits, everything else goes on.
            #expect(try await test.exchange(request("POST", "/nowhere", "Content-Length: 2", body: "ab")).status == 404)
            #expect(test.server.bodyBytesHeld == Self.bodyBytes)
            gate.send()
            #expect(try await holder.receiveResponse().text == "\(Self.bodyBytes)")
            #expect(try await waiting.receiveResponse().text == "Hello")
            try await holder.close()
            try await waiting.close()
        }
    }

    @Test func aStreamedChunkIsGivenBackWhenTheNextIsAskedFor() async throws {
        let released = Locked<[Int]>([])
        let pipe = BodyPipe(
            highWaterBytes: 100, onDemand: {}, onRelease: { count in released.withLock { $0.append(count) } })
        pipe.append([1, 2, 3].span)
        #expect(try await pipe.next()?.count == 3)
        #expect(released.withLock { $0 } == [])
        pipe.append([4, 5].span)
        #expect(try await pipe.next()?.count == 2)
        #expect(released.withLock { $0 } == [3])
        pipe.finish()
        #expect(try await pipe.next() == nil)
        #expect(released.withLock { $0 } == [3, 2])
    }

    @Test func aBodyThatThereIsNoMemoryForIsRefused() async throws {
        let read = Signal()
        let gate = Signal()
        let holding = Route(.post, "/hold", name: "hold") { request in
            var body = request.body.makeAsyncIterator()
            let first = try await body.next()?.count ?? 0
            read.send()
            await gate.wait()
            return .text("\(first)")
        }
        let large = [UInt8](repeating: 1, count: Self.bodyBytes)
        try await withServer(
            [holding, echo],
            configure: {
                $0.bodyLimitBytes = Self.bodyBytes
                $0.bodyBudgetBytes = Self.bodyBytes
            }
        ) { test in
            // The oldest body holds nothing yet when another one takes some of what is free.
            let oldest = try test.client()
            try await oldest.send(request("POST", "/echo", "Content-Length: \(large.count)"))
            await test.recorder.waitUntilStarted(1)
            let other = try test.client()
            try await other.send(request("POST", "/hold", "Content-Length: 5", body: "Hello"))
            await read.wait()
            #expect(test.server.bodyBytesHeld == 5)

            try await oldest.send(large)
            let response = try await oldest.receiveResponse()
            #expect(response.status == 503)
            #expect(response["retry-after"] == "1")
            #expect(response.text.contains("/body-budget-exhausted\""))
            gate.send()
            #expect(try await other.receiveResponse().text == "5")
            try await oldest.close()
            try await other.close()
        }
    }

    @Test func aCollectedBodyIsNotGivenBackByThePipe() async throws {
        let released = Atomic<Int>(0)
        let pipe = BodyPipe(
            highWaterBytes: 100, onDemand: {}, onRelease: { released.wrappingAdd($0, ordering: .relaxed) })
        pipe.append([1, 2, 3].span)
        pipe.finish()
        #expect(try await pipe.collect(upTo: 10, expected: nil).count == 3)
        #expect(try await pipe.next() == nil)
        #expect(released.load(ordering: .relaxed) == 0)
    }
}
