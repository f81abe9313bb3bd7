import HTTPServer
import HTTPWire
import Testing

/// Clients that leave while the server doesn't read their socket. What they have sent fits into the socket's buffer: a
/// FIN behind bytes that the server's window keeps on the client's side can't be known of.
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
            let beginning = request(
                "POST", "/", "Content-Length: 100000000", body: String(repeating: "a", count: 100_000))
            try await client.send(beginning)
            await begun.wait()
            await test.recorder.waitUntilReceived(beginning.utf8.count)
            // Nobody reads these, and the FIN comes behind them.
            try await client.send([UInt8](repeating: 1, count: 20_000))
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
            let beginning = request("GET", "/") + String(repeating: request("GET", "/hello"), count: 100)
            try await client.send(beginning)
            await begun.wait()
            await test.recorder.waitUntilReceived(beginning.utf8.count)
            try await client.send(String(repeating: request("GET", "/hello"), count: 100))
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
