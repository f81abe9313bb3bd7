import HTTPWire
import Testing

@testable import HTTPServer

/// Limits are so small here that they pass at once, or so large that they never do; none of it depends on how fast the
/// machine is.
@Suite(.timeLimit(.minutes(2))) struct TimeLimitTests {
    @Test func aHeadThatIsNotFinishedIsAnswered408() async throws {
        let limits = limits { $0.header = .milliseconds(30) }
        try await withServer([hello], configure: { $0.timeLimits = limits }) { test in
            let client = try test.client()
            try await client.send("GET /hello HTTP/1.1\r\nHost: te")
            let response = try await client.receiveResponse()
            #expect(response.status == 408)
            #expect(response["connection"] == "close")
            #expect(response.text.contains("/problems/header-timeout"))
            #expect(try await client.receiveToEnd() == [])
            #expect(test.recorder.timeouts == [.header])
            try await client.close()
            await test.recorder.waitUntilClosed(1)
        }
    }

    @Test func aSilentConnectionIsClosedWithoutAWord() async throws {
        let limits = limits { $0.idle = .milliseconds(30) }
        try await withServer([hello], configure: { $0.timeLimits = limits }) { test in
            let fresh = try test.client()
            #expect(try await fresh.receiveToEnd() == [])
            try await fresh.close()
            // A busy machine may let the time pass before the request is sent: then another one.
            var connections = 1
            var isServed = false
            while !isServed {
                let used = try test.client()
                connections += 1
                try? await used.send(request("GET", "/hello"))
                if let response = try? await used.receiveResponse() {
                    isServed = true
                    #expect(response.text == "hello")
                    #expect(try await used.receiveToEnd() == [])
                }
                try await used.close()
            }
            await test.recorder.waitUntilClosed(connections)
            #expect(test.recorder.timeouts == [TimeoutKind](repeating: .idle, count: connections))
            #expect(test.recorder.disconnects == [])
        }
    }

    @Test func aResponseThatNobodyTakesEndsTheConnection() async throws {
        let limits = limits { $0.write = .milliseconds(100) }
        let route = Route(.get, "/", name: "large") { _ in
            Response(contentType: "text/plain", bytes: [UInt8](repeating: 1, count: 64 * 1024 * 1024))
        }
        try await withServer([route], configure: { $0.timeLimits = limits }) { test in
            let client = try test.client()
            try await client.send(request("GET", "/"))
            let record = await test.recorder.nextRecord()
            #expect(record?.outcome == .timedOut)
            #expect(test.recorder.timeouts == [.write])
            await test.recorder.waitUntilClosed(1)
            try await client.close()
        }
    }

    @Test func aReaderThatIsTooSlowIsCutOffThoughItReads() async throws {
        let limits = limits {
            $0.write = .milliseconds(200)
            // No byte buys any time.
            $0.writeBytesPerSecond = .max
            $0.header = .milliseconds(20)
        }
        let route = Route(.get, "/", name: "large") { _ in
            Response(contentType: "text/plain", bytes: [UInt8](repeating: 1, count: 64 * 1024 * 1024))
        }
        try await withServer([route], configure: { $0.timeLimits = limits }) { test in
            let slow = try test.client()
            try await slow.send(request("GET", "/"))
            while !test.recorder.timeouts.contains(.write) {
                _ = try? await slow.receive(64 * 1024)
                // Passes some time: until another connection's head is too slow. This one's has come in one piece.
                let other = try test.client()
                try await other.send("G")
                #expect(try await other.receiveResponse().status == 408)
                try await other.close()
            }
            var record = await test.recorder.nextRecord()
            while let other = record, other.route != "large" {
                record = await test.recorder.nextRecord()
            }
            #expect(record?.outcome == .timedOut)
            try await slow.close()
        }
    }

    @Test func nothingIsLeftOfTheTimerWhenTheConnectionsAreGone() async throws {
        let reactor = Reactor()
        let fired = Signal()
        reactor.run {
            let early = reactor.deadlines.schedule(at: .now) { fired.send() }
            let late = reactor.deadlines.schedule(at: .now + TimeLimits.never) {}
            #expect(reactor.deadlines.isArmed)
            reactor.deadlines.cancel(late)
            #expect(reactor.deadlines.isArmed)
            #expect(early.due <= .now)
        }
        await fired.wait()
        let disarmed = Signal()
        reactor.run {
            #expect(!reactor.deadlines.isArmed)
            disarmed.send()
        }
        await disarmed.wait()
    }
}
