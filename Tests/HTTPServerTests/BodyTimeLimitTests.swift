import HTTPWire
import Testing

@testable import HTTPServer

/// As `TimeLimitTests`, for requests' bodies.
@Suite(.timeLimit(.minutes(2))) struct BodyTimeLimitTests {
    @Test(arguments: ["Content-Length: 100", "Transfer-Encoding: chunked"])
    func aBodyThatStandsStillIsAnswered408(framing: String) async throws {
        let limits = limits { $0.bodyGrace = .milliseconds(30) }
        try await withServer([echo], configure: { $0.timeLimits = limits }) { test in
            let client = try test.client()
            try await client.send(request("POST", "/echo", framing))
            let response = try await client.receiveResponse()
            #expect(response.status == 408)
            #expect(response["connection"] == "close")
            #expect(response.text.contains("/problems/body-timeout"))
            #expect(try await client.receiveToEnd() == [])
            #expect(test.recorder.timeouts == [.bodyRate])
            try await client.close()
        }
    }

    /// A client that sends one thing at a time and reads what becomes of it, from a handler that takes its time.
    @Test func aBodyWhoseClientMayWaitIsNotTimedOut() async throws {
        let limits = limits {
            // Until the first byte; no byte buys more than the stall.
            $0.bodyGrace = .seconds(60)
            $0.bodyStall = .milliseconds(50)
            $0.bodyBytesPerSecond = .max
        }
        let begun = Signal()
        let gate = Signal()
        let route = Route(.post, "/", name: "in-turn") { request in
            request.body.pauseClientTime()
            begun.send()
            var chunks = request.body.makeAsyncIterator()
            var bytes = try await chunks.next() ?? []
            await gate.wait()
            while let more = try await chunks.next() {
                bytes += more
            }
            return .text("\(bytes.count)")
        }
        let impatient = Route(.post, "/impatient", name: "impatient") { request in
            begun.send()
            return .text("\(try await request.body.collect(upTo: 10).count)")
        }
        try await withServer([route, impatient, hello], configure: { $0.timeLimits = limits }) { test in
            let client = try test.client()
            try await client.send(request("POST", "/", "Content-Length: 2"))
            await begun.wait()
            // The reactor does one thing at a time: when it has answered this, it is done with the head.
            _ = try await test.exchange(request("GET", "/hello"))
            try await client.send("a")
            // Another connection's timeout shows that the time has passed.
            let idle = try test.client()
            try await idle.send(request("POST", "/impatient", "Content-Length: 2"))
            await begun.wait()
            try await idle.send("a")
            #expect(try await idle.receiveResponse().status == 408)
            gate.send()
            try await client.send("b")
            #expect(try await client.receiveResponse().text == "2")
        }
    }

    @Test func aClientThatMayWaitNoLongerIsTimedOut() async throws {
        let limits = limits {
            $0.bodyGrace = .milliseconds(50)
            $0.bodyStall = .milliseconds(50)
            $0.bodyBytesPerSecond = .max
        }
        let route = Route(.post, "/", name: "in-turn") { request in
            request.body.pauseClientTime()
            request.body.pauseClientTime()
            request.body.resumeClientTime()
            request.body.resumeClientTime()
            return .text("\(try await request.body.collect(upTo: 10).count)")
        }
        try await withServer([route], configure: { $0.timeLimits = limits }) { test in
            let client = try test.client()
            try await client.send(request("POST", "/", "Content-Length: 2", body: "a"))
            #expect(try await client.receiveResponse().status == 408)
        }
    }

    @Test func aBodyThatTheHandlerHoldsBackIsNotTimedOut() async throws {
        let limits = limits {
            $0.bodyGrace = .milliseconds(50)
            $0.bodyStall = .milliseconds(50)
            // No byte buys any time.
            $0.bodyBytesPerSecond = .max
        }
        let gate = Signal()
        let route = Route(.post, "/", name: "late") { request in
            await gate.wait()
            var count = 0
            for try await chunk in request.body {
                count += chunk.count
            }
            return .text("\(count)")
        }
        try await withServer(
            [route, echo],
            configure: {
                $0.timeLimits = limits
                $0.bodyHighWaterBytes = 1000
            }
        ) { test in
            let client = try test.client()
            // The first bytes come with the head and fill the pipe, the rest waits in the socket.
            try await client.send(
                request("POST", "/", "Content-Length: 1001", body: String(repeating: "a", count: 1000)))
            // Another connection's timeout shows that the time has passed.
            let idle = try test.client()
            try await idle.send(request("POST", "/echo", "Content-Length: 1"))
            #expect(try await idle.receiveResponse().status == 408)
            try await client.send("b")
            gate.send()
            #expect(try await client.receiveResponse().text == "1001")
            #expect(test.recorder.timeouts == [.bodyRate])
            try await client.close()
            try await idle.close()
        }
    }

    @Test func aClientThatWaitsForItsContinueIsNotTimedOut() async throws {
        let limits = limits { $0.bodyGrace = .milliseconds(50) }
        let gate = Signal()
        let route = Route(.post, "/", name: "late") { request in
            await gate.wait()
            return .text("\(try await request.body.collect(upTo: 100).count)")
        }
        try await withServer([route, echo], configure: { $0.timeLimits = limits }) { test in
            let client = try test.client()
            try await client.send(request("POST", "/", "Content-Length: 5", "Expect: 100-continue"))
            let other = try test.client()
            try await other.send(request("POST", "/echo", "Content-Length: 5"))
            #expect(try await other.receiveResponse().status == 408)
            #expect(test.recorder.timeouts == [.bodyRate])
            try await client.close()
            try await other.close()
            gate.send()
        }
    }
}
