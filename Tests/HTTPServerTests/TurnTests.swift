import Dispatch
import HTTPServer
import HTTPWire
import Testing
import Threads

/// Connections share one thread: none of them keeps it for long.
@Suite(.timeLimit(.minutes(2))) struct TurnTests {
    @Test func manyPipelinedRequestsLetOthersHaveTheirTurn() async throws {
        let count = 400
        // The kernel may tell of the other connection late. Without turns it comes behind all of them each time.
        for _ in 0..<10 where try await servedBeforeAnother(of: count) < count / 4 { return }
        Issue.record("another connection waited each time")
    }

    /// How many pipelined requests are served before that of another connection, if both are there at the same time.
    private func servedBeforeAnother(of count: Int) async throws -> Int {
        let isBlocked = Signal()
        let gate = DispatchSemaphore(value: 0)
        let served = Locked<[String]>([])
        // Holds the reactor itself until everybody's requests are there.
        let block = Route.immediate(.get, "/block", name: "block") { _ in
            isBlocked.send()
            gate.wait()
            return .text("")
        }
        let note = Route.immediate(.get, "/{name}", name: "note") { request in
            served.withLock { $0.append(request.pathParameters["name"] ?? "") }
            return .text("")
        }
        var before = count
        try await withServer([block, note]) { test in
            let many = try test.client()
            let other = try test.client()
            let blocking = try test.client()
            // All three are known to the reactor before it is held.
            for client in [many, other] {
                try await client.send(request("GET", "/early"))
                _ = try await client.receiveResponse()
            }
            try await blocking.send(request("GET", "/block"))
            await isBlocked.wait()
            try await many.send(String(repeating: request("GET", "/many"), count: count))
            try await many.waitUntilDelivered()
            try await other.send(request("GET", "/other"))
            try await other.waitUntilDelivered()
            gate.signal()

            #expect(try await other.receiveResponse().status == 200)
            for _ in 0..<count {
                #expect(try await many.receiveResponse().status == 200)
            }
            let order = served.withLock { $0 }
            #expect(order.count == count + 3)
            before = order.prefix { $0 != "other" }.count { $0 == "many" }
            for client in [many, other, blocking] {
                try await client.close()
            }
        }
        return before
    }

    @Test func pipelinedRequestsBeforeAFINAreAnsweredInOrder() async throws {
        let count = 300
        let name = Route.immediate(.get, "/{name}", name: "name") { .text($0.pathParameters["name"] ?? "") }
        try await withServer([name], configure: { $0.allowsHalfClose = true }) { test in
            let client = try test.client()
            try await client.send((0..<count).map { request("GET", "/\($0)") }.joined())
            for number in 0..<count {
                #expect(try await client.receiveResponse().text == "\(number)")
            }
            // Behind the read-ahead as before it.
            try await client.send(request("GET", "/last"))
            #expect(try await client.receiveResponse().text == "last")
            try await client.close()
            await test.recorder.waitUntilClosed(1)
            #expect(test.recorder.finished == count + 1)
        }
    }

    @Test func chunksOfAnySizeArriveInOrderAndAreCounted() async throws {
        let sizes = [1, 1, 5000, 2, 4096, 4095, 1, 9000, 3, 3, 70_000, 1]
        var content: [UInt8] = []
        var body: [UInt8] = []
        for (index, size) in sizes.enumerated() {
            let chunk = [UInt8](repeating: UInt8(index + 65), count: size)
            content += chunk
            body += Array("\(String(size, radix: 16))\r\n".utf8) + chunk + [13, 10]
        }
        let streaming = Route(.post, "/stream", name: "stream", streamsBody: true) { request in
            var bytes: [UInt8] = []
            for try await chunk in request.body {
                bytes += chunk
            }
            return Response(contentType: "application/octet-stream", bytes: bytes)
        }
        try await withServer([echo, streaming]) { test in
            let client = try test.client()
            for target in ["/echo", "/stream"] {
                try await client.send(Array(request("POST", target, "Transfer-Encoding: chunked").utf8) + body)
                try await client.send("0\r\n\r\n")
                #expect(try await client.receiveResponse().body == content)
                #expect(await test.recorder.nextRecord()?.bodyBytesReceived == content.count)
                #expect(test.server.bodyBytesHeld == 0)
            }
            try await client.close()
        }
    }
}
