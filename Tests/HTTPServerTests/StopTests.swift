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

    @Test func stoppingWithoutConnectionsReturnsAtOnce() async throws {
        let server = HTTPServer(configuration: ServerConfiguration(addresses: []), router: try Router([]))
        _ = try await server.start()
        await server.stop(grace: .seconds(600))
        await server.stop(grace: .zero)
    }
}
