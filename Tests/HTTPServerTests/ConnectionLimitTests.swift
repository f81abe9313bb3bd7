import Glibc
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(2))) struct ConnectionLimitTests {
    @Test func theNextConnectionIsAnswered503() async throws {
        try await withServer(
            [hello],
            configure: {
                $0.connectionLimit = 2
                $0.timeLimits.lingerIdle = .seconds(120)
                $0.timeLimits.linger = .seconds(120)
            }
        ) { test in
            let clients = [try test.client(), try test.client()]
            for client in clients {
                try await client.send(request("GET", "/hello"))
                #expect(try await client.receiveResponse().status == 200)
            }
            let third = try test.client()
            // A request on its way must not make the answer get lost.
            try await third.send(request("GET", "/hello"))
            let response = try await third.receiveResponse()
            #expect(response.status == 503)
            #expect(response["retry-after"] == "1")
            #expect(response["connection"] == "close")
            #expect(response["content-type"] == "application/problem+json")
            #expect(response.text.contains("/problems/too-many-connections"))
            #expect(try await third.receiveToEnd() == [])
            try await third.close()
            #expect(test.recorder.refusals == [.limit])
            #expect(test.recorder.opened == 2)

            // One that leaves makes room for another.
            try await clients[0].close()
            await test.recorder.waitUntilClosed(1)
            #expect(try await test.exchange(request("GET", "/hello")).status == 200)
            try await clients[1].close()
            await test.recorder.waitUntilClosed(3)
            #expect(test.recorder.opened == 3)
        }
    }

    @Test func manyMoreThanTheLimitAreAllTurnedAway() async throws {
        try await withServer([hello], configure: { $0.connectionLimit = 1 }) { test in
            let served = try test.client()
            try await served.send(request("GET", "/hello"))
            #expect(try await served.receiveResponse().status == 200)
            let others = try (0..<100).map { _ in try test.client() }
            for other in others {
                #expect(try await other.receiveResponse().status == 503)
            }
            for other in others {
                try await other.close()
            }
            #expect(test.recorder.refusals.count == 100)
            try await served.send(request("GET", "/hello"))
            #expect(try await served.receiveResponse().status == 200)
            try await served.close()
        }
    }

    @Test func fewerDescriptorsMakeTheLimitLower() {
        #expect(ConnectionLimit.effective(configured: 10_000, reserve: 64, descriptors: 1024) == 960)
        #expect(ConnectionLimit.effective(configured: 500, reserve: 64, descriptors: 1024) == 500)
        #expect(ConnectionLimit.effective(configured: 500, reserve: 64, descriptors: 10) == 1)
        #expect(ConnectionLimit.effective(configured: 500, reserve: 64, descriptors: nil) == 500)
    }

    @Test(arguments: [EMFILE, ENFILE])
    func withoutDescriptorsConnectionsAreTurnedAwayThroughTheReserve(error: Int32) async throws {
        let backoff = Duration.milliseconds(20)
        let begin = ContinuousClock.now
        let calls = Atomic<Int>(0)
        let isOver = Atomic<Bool>(false)
        let recorder = Recorder()
        var configuration = ServerConfiguration(addresses: [SocketAddress(host: "127.0.0.1", port: 0)])
        configuration.acceptBackoff = backoff
        let server = HTTPServer(
            configuration: configuration, router: try Router([hello]), observer: recorder,
            accept: { listener in
                guard !isOver.load(ordering: .relaxed) else { return Socket.accept(listener) }
                // Every second call comes from what turns those away who wait: that one works in the end.
                let call = calls.wrappingAdd(1, ordering: .relaxed).newValue
                guard call.isMultiple(of: 2), ContinuousClock.now - begin > backoff * 10 else {
                    return .exhausted(error)
                }
                isOver.store(true, ordering: .relaxed)
                return Socket.accept(listener)
            })
        let address = try #require(try await server.start().first)
        let refused = try RawClient(address)
        #expect(try await refused.receiveResponse().status == 503)
        #expect(try await refused.receiveToEnd() == [])
        try await refused.close()
        // The observer hears of it behind the answer.
        try await eventually("the refusal is told") { !recorder.refusals.isEmpty }
        #expect(recorder.refusals == [.descriptors])
        #expect(recorder.opened == 0)
        // Between two failures lies a pause, however slow the machine is.
        #expect(Double(recorder.exhaustions) <= (ContinuousClock.now - begin) / backoff + 1)

        let served = try RawClient(address)
        try await served.send(request("GET", "/hello"))
        #expect(try await served.receiveResponse().status == 200)
        try await served.close()
        await server.stop(grace: .seconds(60))
    }
}
