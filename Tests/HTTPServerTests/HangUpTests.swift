import HTTPServer
import HTTPWire
import Testing

/// Clients that leave while the server doesn't read their socket.
@Suite(.timeLimit(.minutes(2))) struct HangUpTests {
    private let begun = Signal()
    private let cancelled = Signal()
    private let never = Signal()

    /// Never reads its body and never answers by itself.
    private func stuck(_ method: HTTPMethod) -> Route {
        Route(method, "/", name: "stuck", bodyLimitBytes: 1 << 30) { [begun, cancelled, never] _ in
            begun.send()
            await never.wait()
            cancelled.send()
            throw CancellationError()
        }
    }

    @Test(arguments: [false, true])
    func isNoticedWhileTheBodyIsHeldBack(reset: Bool) async throws {
        try await withServer([stuck(.post)], configure: { $0.bodyHighWaterBytes = 100_000 }) { test in
            let client = try test.client()
            try await client.send(request("POST", "/", "Content-Length: 100000000"))
            await begun.wait()
            _ = try await client.sendUntilStuck(
                [UInt8](repeating: 1, count: 100_000_000), patienceMilliseconds: 200)
            try await client.close(reset: reset)
            await cancelled.wait()
            #expect(await test.recorder.nextRecord()?.outcome == .clientGone)
            await test.recorder.waitUntilClosed(1)
            #expect(test.recorder.disconnects == [.readingBody])
        }
    }

    @Test(arguments: [false, true])
    func isNoticedWhileTheReadAheadIsFull(reset: Bool) async throws {
        try await withServer([stuck(.get), hello], configure: { $0.readAheadBytes = 1000 }) { test in
            let client = try test.client()
            try await client.send(request("GET", "/"))
            await begun.wait()
            let more = repeated(Array(request("GET", "/hello").utf8), count: 100_000)
            _ = try await client.sendUntilStuck(more, patienceMilliseconds: 200)
            try await client.close(reset: reset)
            await cancelled.wait()
            await test.recorder.waitUntilClosed(1)
            #expect(test.recorder.disconnects == [.handling])
            #expect(test.recorder.started == 1)
        }
    }

    @Test func aResetIsNoticedBehindAHalfClose() async throws {
        try await withServer([stuck(.get)], configure: { $0.allowsHalfClose = true }) { test in
            let client = try test.client()
            try await client.send(request("GET", "/"))
            try await client.finishSending()
            await begun.wait()
            try await client.close(reset: true)
            await cancelled.wait()
            await test.recorder.waitUntilClosed(1)
            #expect(test.recorder.disconnects == [.handling])
        }
    }

    @Test func aHalfCloseBehindAFullReadAheadIsServedWhereAllowed() async throws {
        let gate = Signal()
        let slow = Route(.get, "/slow", name: "slow") { _ in
            await gate.wait()
            return .text("slow")
        }
        let count = 50
        try await withServer(
            [slow, hello],
            configure: {
                $0.allowsHalfClose = true
                $0.readAheadBytes = 10
            }
        ) { test in
            let client = try test.client()
            try await client.send(
                request("GET", "/slow") + String(repeating: request("GET", "/hello"), count: count))
            try await client.finishSending()
            gate.send()
            #expect(try await client.receiveResponse().text == "slow")
            for _ in 0..<count {
                #expect(try await client.receiveResponse().text == "hello")
            }
            #expect(try await client.receiveToEnd() == [])
            #expect(test.recorder.disconnects == [])
            try await client.close()
        }
    }
}
