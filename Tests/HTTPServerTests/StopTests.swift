import HTTPServer
import HTTPWire
import Testing

@Suite(.timeLimit(.minutes(2))) struct StopTests {
    @Test func idleConnectionsCloseAndOpenRequestsFinish() async throws {
        let begun = Signal()
        let gate = Signal()
        let slow = Route(.get, "/slow", name: "slow") { _ in
            begun.send()
            await gate.wait()
            return .text("slow")
        }
        try await withServer([slow, hello]) { test in
            let idle = try test.client()
            try await idle.send(request("GET", "/hello"))
            #expect(try await idle.receiveResponse().text == "hello")
            let busy = try test.client()
            try await busy.send(request("GET", "/slow"))
            await begun.wait()

            async let stopped: Void = test.server.stop(grace: .seconds(60))
            #expect(try await idle.receiveToEnd() == [])
            #expect(throws: RawClient.Failure.self) { try test.client() }
            gate.send()
            let response = try await busy.receiveResponse()
            #expect(response.text == "slow")
            #expect(response["connection"] == "close")
            await stopped
            #expect(await test.server.openConnections == 0)
            #expect(test.recorder.closed == 2)
            try await idle.close()
            try await busy.close()
        }
    }

    @Test func theRestIsCancelledWhenTheGraceIsOver() async throws {
        let begun = Signal()
        let cancelled = Signal()
        let never = Signal()
        let route = Route(.get, "/", name: "never") { _ in
            begun.send()
            await never.wait()
            cancelled.send()
            throw CancellationError()
        }
        try await withServer([route]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/"))
            await begun.wait()
            await test.server.stop(grace: .milliseconds(10))
            await cancelled.wait()
            #expect(try await client.receiveToEnd() == [])
            #expect(await test.recorder.nextRecord()?.outcome == .stopped)
            try await client.close()
        }
    }

    @Test func aSecondStopShortensTheGrace() async throws {
        let begun = Signal()
        let never = Signal()
        let route = Route(.get, "/", name: "never") { _ in
            begun.send()
            await never.wait()
            throw CancellationError()
        }
        try await withServer([route]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/"))
            await begun.wait()
            async let first: Void = test.server.stop(grace: .seconds(600))
            await test.server.stop(grace: .zero)
            await first
            try await client.close()
        }
    }

    @Test func aRequestThatHasBegunToArriveIsServed() async throws {
        try await withServer([hello]) { test in
            let client = try test.client()
            let text = request("GET", "/hello")
            try await client.send(String(text.prefix(7)))
            await test.recorder.waitUntilReceived(7)
            async let stopped: Void = test.server.stop(grace: .seconds(600))
            // Only the stopping server lets nobody in any more.
            while let late = try? test.client() { try await late.close() }
            try await client.send(String(text.dropFirst(7)))
            let response = try await client.receiveResponse()
            #expect(response.text == "hello")
            #expect(response["connection"] == "close")
            #expect(try await client.receiveToEnd() == [])
            try await client.close()
            await stopped
        }
    }

    @Test func aRequestThatWaitsToBeReadIsServed() async throws {
        let test = try await stopTest(firstByte: .seconds(600))
        let used = try test.client()
        try await used.send(request("GET", "/hello"))
        #expect(try await used.receiveResponse().text == "hello")
        // Whether the server has seen it when it begins to stop or not: it has been sent before.
        try await used.send(request("GET", "/hello"))
        try await used.waitUntilDelivered()
        async let stopped: Void = test.server.stop(grace: .seconds(600))
        let response = try await used.receiveResponse()
        #expect(response.text == "hello")
        try await used.close()
        await stopped
    }

    @Test func aFreshConnectionMaySendItsFirstRequest() async throws {
        let test = try await stopTest(firstByte: .seconds(600))
        // Made, and perhaps not accepted yet.
        let fresh = try test.client()
        async let stopped: Void = test.server.stop(grace: .seconds(600))
        while let late = try? test.client() { try await late.close() }
        try await fresh.send(request("GET", "/hello"))
        let response = try await fresh.receiveResponse()
        #expect(response.text == "hello")
        #expect(response["connection"] == "close")
        try await fresh.close()
        await stopped
    }

    @Test func aFreshConnectionThatStaysSilentIsClosed() async throws {
        let test = try await stopTest(firstByte: .milliseconds(10))
        let fresh = try test.client()
        await test.recorder.waitUntilOpened(1)
        await test.server.stop(grace: .seconds(600))
        #expect(try await fresh.receiveToEnd() == [])
        #expect(test.recorder.timeouts == [])
        try await fresh.close()
    }

    /// A server that the test stops itself, whose clients otherwise may take all the time there is.
    private func stopTest(firstByte: Duration) async throws -> TestServer {
        var configuration = ServerConfiguration(addresses: [SocketAddress(host: "127.0.0.1", port: 0)])
        configuration.timeLimits.header = .seconds(3600)
        configuration.timeLimits.idle = .seconds(3600)
        configuration.timeLimits.firstByteWhenStopping = firstByte
        let recorder = Recorder()
        let server = HTTPServer(configuration: configuration, router: try Router([hello]), observer: recorder)
        return TestServer(server: server, addresses: try await server.start(), recorder: recorder)
    }

    /// A listener that is still open makes binding fail; so may somebody else's, to whom the system has given the free
    /// port in between, and a child that another test is just starting has the listener too, but hardly twenty times.
    @Test func thePortIsFreeWhenTheServerHasStopped() async throws {
        for attempt in 1...20 {
            do {
                return try await startAndStopOnOnePort()
            } catch let error as ListenError where attempt < 20 {
                print("on another port: \(error)")
            }
        }
    }

    private func startAndStopOnOnePort() async throws {
        var port = 0
        for _ in 0..<100 {
            let configuration = ServerConfiguration(addresses: [SocketAddress(host: "127.7.7.7", port: port)])
            let server = HTTPServer(configuration: configuration, router: try Router([]))
            port = try #require(try await server.start().first).port
            await server.stop(grace: .seconds(600))
        }
    }

    /// Its answer may be on its way, and an RST for the rest of its body would wipe it out.
    @Test func aConnectionWhoseBodyIsReadOverIsClosedWithoutAReset() async throws {
        try await withServer([]) { test in
            let client = try test.client()
            try await client.send(request("POST", "/nowhere", "Content-Length: 10", body: "abc"))
            _ = await test.recorder.nextRecord()
            async let stopped: Void = test.server.stop(grace: .seconds(600))
            #expect(try await client.receiveResponse().status == 404)
            #expect(try await client.receiveToEnd() == [])
            // Nobody minds the rest.
            try await client.send("defghij")
            try await client.waitUntilDelivered()
            #expect(try await client.receiveToEnd() == [])
            try await client.close()
            await stopped
        }
    }

    @Test func stoppingWithoutConnectionsReturnsAtOnce() async throws {
        let server = HTTPServer(configuration: ServerConfiguration(addresses: []), router: try Router([]))
        _ = try await server.start()
        await server.stop(grace: .seconds(600))
        await server.stop(grace: .zero)
    }
}
