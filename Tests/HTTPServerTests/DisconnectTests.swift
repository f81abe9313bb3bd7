import HTTPServer
import HTTPWire
import Scheduling
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct DisconnectTests {
    /// A handler that never answers by itself, and tells when it has begun and when it was cancelled.
    private struct Waiting: Sendable {
        let begun = Signal()
        let cancelled = Signal()
        private let never = Signal()

        func route(_ method: HTTPMethod = .get, readsBody: Bool = false) -> Route {
            Route(method, "/wait", name: "wait") { request in
                begun.send()
                if readsBody {
                    do {
                        _ = try await request.body.collect(upTo: 1 << 30)
                    } catch is CancellationError {
                        cancelled.send()
                        throw CancellationError()
                    }
                }
                await never.wait()
                if Task.isCancelled {
                    cancelled.send()
                }
                throw CancellationError()
            }
        }
    }

    @Test(arguments: [false, true])
    func aClientThatLeavesCancelsItsHandler(reset: Bool) async throws {
        let waiting = Waiting()
        try await withServer([waiting.route()]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/wait"))
            await waiting.begun.wait()
            try await client.close(reset: reset)
            await waiting.cancelled.wait()
            let record = await test.recorder.nextRecord()
            #expect(record?.outcome == .clientGone)
            #expect(record?.status == nil)
            #expect(record?.route == "wait")
            await test.recorder.waitUntilClosed(1)
            #expect(test.recorder.bytesSent == 0)
            #expect(await test.server.openConnections == 0)
        }
    }

    @Test(arguments: [CancellationCause.Reason.clientGone, .shutdown])
    func theHandlerCanTellWhyItWasCancelled(reason: CancellationCause.Reason) async throws {
        let begun = Signal()
        let found = ResumeOnce<CancellationCause.Reason?>()
        let route = Route(.get, "/wait", name: "wait") { _ in
            begun.send()
            let gone = ResumeOnce<Void>()
            try? await withTaskCancellationHandler {
                try await gone.value()
            } onCancel: {
                gone.resume(returning: ())
            }
            found.resume(returning: CancellationCause.current?.declaration?.reason)
            throw CancellationError()
        }
        try await withServer([route]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/wait"))
            await begun.wait()
            switch reason {
            case .shutdown: await test.server.stop(grace: .zero)
            default: try await client.close()
            }
            #expect(try await found.value() == reason)
        }
    }

    @Test func aClientThatLeavesWithPipelinedRequestsWaitingIsNoticed() async throws {
        let waiting = Waiting()
        try await withServer([waiting.route(), hello]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/wait") + request("GET", "/hello"))
            await waiting.begun.wait()
            try await client.close()
            await waiting.cancelled.wait()
            await test.recorder.waitUntilClosed(1)
            #expect(test.recorder.started == 1)
        }
    }

    @Test(arguments: [false, true], ["Content-Length: 1000000", "Transfer-Encoding: chunked"])
    func aClientThatLeavesInTheMiddleOfAnUploadCancelsItsHandler(reset: Bool, framing: String) async throws {
        let waiting = Waiting()
        try await withServer([waiting.route(.post, readsBody: true)]) { test in
            let client = try test.client()
            try await client.send(request("POST", "/wait", framing, body: "5\r\nHello"))
            await waiting.begun.wait()
            try await client.close(reset: reset)
            await waiting.cancelled.wait()
            #expect(await test.recorder.nextRecord()?.outcome == .clientGone)
            await test.recorder.waitUntilClosed(1)
        }
    }

    @Test(arguments: [false, true])
    func aClientThatLeavesWhileTheResponseIsWrittenEndsTheStream(reset: Bool) async throws {
        let route = Route(.get, "/", name: "endless") { _ in
            Response(
                status: .ok,
                body: .stream(
                    AsyncThrowingStream<[UInt8], any Error>(unfolding: {
                        [UInt8](repeating: 1, count: 100_000)
                    })))
        }
        try await withServer([route]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/"))
            _ = try await client.receive(1_000_000)
            try await client.close(reset: reset)
            let record = await test.recorder.nextRecord()
            #expect(record?.outcome == .clientGone)
            #expect(record?.status == .ok)
            await test.recorder.waitUntilClosed(1)
        }
    }

    @Test func halfCloseIsServedWhereAllowed() async throws {
        let gate = Signal()
        let slow = Route(.get, "/slow", name: "slow") { _ in
            await gate.wait()
            return .text("slow")
        }
        try await withServer([slow, hello], configure: { $0.allowsHalfClose = true }) { test in
            let client = try test.client()
            try await client.send(request("GET", "/slow") + request("GET", "/hello"))
            try await client.finishSending()
            gate.send()
            #expect(try await client.receiveResponse().text == "slow")
            #expect(try await client.receiveResponse().text == "hello")
            #expect(try await client.receiveToEnd() == [])
            try await client.close()
            await test.recorder.waitUntilClosed(1)
        }
    }

    /// The rest of a body that is read over will not come any more.
    @Test func aHalfCloseInTheMiddleOfABodyThatIsReadOverEndsTheConnection() async throws {
        let gate = Signal()
        let slow = Route(.get, "/slow", name: "slow") { _ in
            await gate.wait()
            return .text("slow")
        }
        try await withServer(
            [slow],
            configure: {
                $0.allowsHalfClose = true
                $0.timeLimits.bodyBytesPerSecond = 0
            }
        ) { test in
            let client = try test.client()
            try await client.send(
                request("GET", "/slow") + request("POST", "/nowhere", "Content-Length: 100", body: "abcde"))
            try await client.finishSending()
            try await client.waitUntilDelivered()
            gate.send()
            #expect(try await client.receiveResponse().text == "slow")
            #expect(try await client.receiveResponse().status == 404)
            #expect(try await client.receiveToEnd() == [])
            await test.recorder.waitUntilClosed(1)
            try await client.close()
        }
    }

    @Test func quickComersAndGoersLeaveNothingBehind() async throws {
        let waiting = Waiting()
        try await withServer([waiting.route(), waiting.route(.post, readsBody: true), hello]) { test in
            let beginnings = [
                "", "GET /he", request("GET", "/hello"), request("GET", "/wait"),
                request("POST", "/wait", "Content-Length: 100", body: "abc"), "broken\r\n\r\n",
            ]
            for round in 0..<200 {
                let client = try test.client()
                try await client.send(beginnings[round % beginnings.count])
                try await client.close(reset: round % 4 == 0)
            }
            // A connection that was reset before it was accepted may never be seen.
            await test.server.stop(grace: .seconds(30))
            #expect(test.recorder.opened > 100)
            #expect(test.recorder.closed == test.recorder.opened)
            #expect(await test.server.openConnections == 0)
        }
    }
}
