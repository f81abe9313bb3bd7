import HTTPServer
import HTTPWire
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct BackpressureTests {
    /// More than any chain of socket buffers holds.
    private static let manyBytes = 64 * 1024 * 1024
    /// One read of the server.
    private static let readBytes = 256 * 1024

    @Test func anUnreadBodyStopsTheSender() async throws {
        let gate = Signal()
        let route = Route(.post, "/", name: "late", bodyLimitBytes: 1 << 30) { request in
            await gate.wait()
            var count = 0
            for try await chunk in request.body {
                count += chunk.count
            }
            return .text("\(count)")
        }
        try await withServer([route], configure: { $0.bodyHighWaterBytes = 100_000 }) { test in
            let client = try test.client()
            try await client.send(request("POST", "/", "Content-Length: \(Self.manyBytes)"))
            let body = [UInt8](repeating: 7, count: Self.manyBytes)
            let sent = try await client.sendUntilStuck(body, patienceMilliseconds: 300)
            #expect(sent < Self.manyBytes)
            #expect(test.recorder.bytesReceived <= 100_000 + Self.readBytes + 1000)
            gate.send()
            try await client.send(Array(body[sent...]))
            #expect(try await client.receiveResponse().text == "\(Self.manyBytes)")
            try await client.close()
        }
    }

    @Test func readAheadOfPipelinedRequestsIsBounded() async throws {
        let gate = Signal()
        let slow = Route(.get, "/slow", name: "slow") { _ in
            await gate.wait()
            return .text("slow")
        }
        try await withServer([slow, hello]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/slow"))
            let one = Array(request("GET", "/hello").utf8)
            let many = repeated(one, count: 30_000)
            let sent = try await client.sendUntilStuck(many, patienceMilliseconds: 300)
            #expect(test.recorder.bytesReceived <= 64 * 1024 + Self.readBytes + 1000)
            gate.send()
            #expect(try await client.receiveResponse().text == "slow")
            let whole = sent / one.count
            #expect(whole > 1000)
            for _ in 0..<1000 {
                #expect(try await client.receiveResponse().text == "hello")
            }
            try await client.close()
        }
    }

    @Test func aSlowReaderIsNotServedAheadOfItself() async throws {
        let produced = Atomic<Int>(0)
        let count = Self.manyBytes / 100_000
        let route = Route(.get, "/", name: "stream") { _ in
            Response(
                status: .ok,
                body: .stream(
                    AsyncThrowingStream<[UInt8], any Error>(unfolding: {
                        guard produced.load(ordering: .relaxed) < count else { return nil }
                        produced.wrappingAdd(1, ordering: .relaxed)
                        return [UInt8](repeating: 1, count: 100_000)
                    })))
        }
        try await withServer([route]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/"))
            // Reading the beginning shows that the stream runs; what the server may hold is little more than what it
            // sent.
            _ = try await client.receive(1_000_000)
            let madeBytes = produced.load(ordering: .relaxed) * 100_000
            #expect(madeBytes <= test.recorder.bytesSent + 256 * 1024 + 300_000)
            let rest = try await client.receive(untilSuffix: Array("\r\n0\r\n\r\n".utf8))
            #expect(rest.count > Self.manyBytes - 2_000_000)
            try await client.close()
        }
    }
}
