import HTTPServer
import HTTPWire
import Testing

@Suite(.timeLimit(.minutes(2))) struct RequestResponseTests {
    @Test func keepsAConnectionAliveOverRequests() async throws {
        try await withServer([hello, echo]) { test in
            let client = try test.client()
            for _ in 0..<3 {
                try await client.send(request("GET", "/hello"))
                #expect(try await client.receiveResponse().text == "hello")
                try await client.send(request("POST", "/echo", "Content-Length: 3", body: "abc"))
                let response = try await client.receiveResponse()
                #expect(response.status == 200)
                #expect(response.text == "abc")
                #expect(response["content-length"] == "3")
                #expect(response["connection"] == nil)
            }
            #expect(test.recorder.opened == 1)
            try await client.close()
        }
    }

    @Test func closesWhenTheClientAsksAndForHTTP10() async throws {
        try await withServer([hello]) { test in
            for text in [request("GET", "/hello", "Connection: close"), "GET /hello HTTP/1.0\r\n\r\n"] {
                let client = try test.client()
                try await client.send(text)
                let answer = try #require(try await client.receiveToEnd())
                #expect(String(decoding: answer, as: UTF8.self).contains("\r\nConnection: close\r\n"))
                #expect(String(decoding: answer, as: UTF8.self).hasSuffix("\r\n\r\nhello"))
                try await client.close()
            }
            let client = try test.client()
            for _ in 0..<2 {
                try await client.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(try await client.receiveResponse()["connection"] == "keep-alive")
            }
            try await client.close()
        }
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        let gate = Signal()
        let slow = Route(.get, "/slow", name: "slow") { _ in
            await gate.wait()
            return .text("slow")
        }
        try await withServer([slow, hello, echo]) { test in
            let client = try test.client()
            try await client.send(
                request("GET", "/slow") + request("GET", "/hello")
                    + request("POST", "/echo", "Content-Length: 2", body: "ab") + request("GET", "/none")
                    + request("POST", "/echo", "Transfer-Encoding: chunked", body: "1\r\nx\r\n0\r\n\r\n"))
            gate.send()
            var answers: [String] = []
            for _ in 0..<5 {
                let response = try await client.receiveResponse()
                answers.append(response.status == 200 ? response.text : "\(response.status)")
            }
            #expect(answers == ["slow", "hello", "ab", "404", "x"])
            try await client.close()
        }
    }

    @Test func readsAChunkedUpload() async throws {
        try await withServer([echo]) { test in
            let response = try await test.exchange(
                request(
                    "POST", "/echo", "Transfer-Encoding: chunked", body: "5;x=y\r\nHello\r\n1\r\n!\r\n0\r\nT: 1\r\n\r\n"
                ))
            #expect(response.text == "Hello!")
        }
    }

    @Test func carriesALargeBodyBothWays() async throws {
        // A pattern of odd length, so that a piece that is lost or doubled shows.
        let pattern = (0..<9973).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        let bytes = repeated(pattern, count: 500)
        try await withServer([echo]) { test in
            let client = try test.client()
            try await client.send(request("POST", "/echo", "Content-Length: \(bytes.count)"))
            try await client.send(bytes)
            #expect(try await client.receiveResponse().body == bytes)
            try await client.close()
        }
    }

    @Test func streamsABodyInChunksNoneOfThemLost() async throws {
        let route = Route(.post, "/", name: "count") { request in
            var sum = 0
            for try await chunk in request.body {
                sum += chunk.count
            }
            return .text("\(sum)")
        }
        try await withServer([route], configure: { $0.bodyHighWaterBytes = 10_000 }) { test in
            let client = try test.client()
            try await client.send(request("POST", "/", "Content-Length: 3000000"))
            try await client.send([UInt8](repeating: 1, count: 3_000_000))
            #expect(try await client.receiveResponse().text == "3000000")
            try await client.close()
        }
    }

    @Test func headGetsWhatGetWouldGetButNoContent() async throws {
        let page = Route(.get, "/page", name: "page") { _ in .text("page") }
        try await withServer([hello, page]) { test in
            let client = try test.client()
            for path in ["/hello", "/page"] {
                try await client.send(request("HEAD", path))
                let response = try await client.receiveResponse(toHead: true)
                #expect(response.status == 200)
                #expect(response["content-length"] == "\(path.utf8.count - 1)")
            }
            // Nothing may stand between the HEAD's answer and the next one.
            try await client.send(request("GET", "/hello"))
            #expect(try await client.receiveResponse().text == "hello")
            try await client.close()
        }
    }

    @Test func routesByPathAndMethod() async throws {
        let model = Route(.get, "/models/{name}/{part}", name: "model") { request in
            .text(
                [request.pathParameters["name"], request.pathParameters["part"]].map { $0 ?? "-" }.joined(
                    separator: "|"))
        }
        try await withServer([hello, echo, model]) { test in
            #expect(try await test.exchange(request("GET", "/models/a%2Fb/%C3%A9?x")).text == "a/b|é")
            #expect(try await test.exchange(request("GET", "http://other/%68ello")).text == "hello")
            for path in ["/none", "/hello/", "//hello", "/models//x", "/models/a", "/x/../hello"] {
                #expect(try await test.exchange(request("GET", path)).status == 404, "\(path)")
            }
            let refused = try await test.exchange(request("DELETE", "/hello"))
            #expect(refused.status == 405)
            #expect(refused["allow"] == "GET, HEAD, OPTIONS")
            #expect(try await test.exchange(request("GET", "/echo"))["allow"] == "POST, OPTIONS")
            let options = try await test.exchange(request("OPTIONS", "/hello"))
            #expect(options.status == 204)
            #expect(options["allow"] == "GET, HEAD, OPTIONS")
            #expect(options["content-length"] == nil)
            #expect(try await test.exchange(request("OPTIONS", "*")).status == 204)
            for method in ["get", "BREW", "TRACE"] {
                #expect(try await test.exchange(request(method, "/hello")).status == 501)
            }
            #expect(try await test.exchange(request("CONNECT", "a:1")).status == 501)
        }
    }

    @Test func everyAnswerCarriesARequestIDAndADate() async throws {
        try await withServer([hello], configure: { $0.serverName = "test" }) { test in
            let own = try await test.exchange(request("GET", "/hello", "X-Request-Id: abc-DEF_1.2"))
            #expect(own["x-request-id"] == "abc-DEF_1.2")
            #expect(own["date"]?.hasSuffix(" GMT") == true)
            #expect(own["server"] == "test")
            var made: Set<String> = []
            for proposal in ["a b", "", String(repeating: "a", count: 129), "é", "a;b"] {
                let response = try await test.exchange(request("GET", "/none", "X-Request-Id: \(proposal)"))
                let id = try #require(response["x-request-id"])
                #expect(id.count == 16)
                #expect(response.text.contains("\"instance\":\"\(id)\""))
                made.insert(id)
            }
            #expect(made.count == 5)
        }
    }

    @Test func streamsAResponse() async throws {
        let route = Route(.get, "/", name: "stream") { _ in
            Response(
                status: .ok,
                body: .stream(
                    AsyncThrowingStream<[UInt8], any Error> { continuation in
                        ["one", "", "two", String(repeating: "x", count: 100_000)].forEach {
                            continuation.yield(Array($0.utf8))
                        }
                        continuation.finish()
                    }))
        }
        let whole = "onetwo" + String(repeating: "x", count: 100_000)
        try await withServer([route]) { test in
            let client = try test.client()
            for _ in 0..<2 {
                try await client.send(request("GET", "/"))
                let response = try await client.receiveResponse()
                #expect(response["transfer-encoding"] == "chunked")
                #expect(response["content-length"] == nil)
                #expect(response.text == whole)
            }
            try await client.send(request("HEAD", "/"))
            #expect(try await client.receiveResponse(toHead: true).status == 200)
            try await client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let answer = String(decoding: try #require(try await client.receiveToEnd()), as: UTF8.self)
            #expect(answer.contains("\r\nConnection: close\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n" + whole))
            try await client.close()
        }
    }

    @Test func aStreamThatFailsCutsTheConnectionOff() async throws {
        struct Broken: Error {}
        let route = Route(.get, "/", name: "stream") { _ in
            Response(
                status: .ok,
                body: .stream(
                    AsyncThrowingStream<[UInt8], any Error> { continuation in
                        continuation.yield(Array("begun".utf8))
                        continuation.finish(throwing: Broken())
                    }))
        }
        try await withServer([route]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/"))
            let answer = String(decoding: try #require(try await client.receiveToEnd()), as: UTF8.self)
            #expect(answer.hasSuffix("5\r\nbegun\r\n"))
            #expect(await test.recorder.nextRecord()?.outcome == .aborted)
            try await client.close()
        }
    }

    @Test func listensOnSeveralAddressesAndIPv6() async throws {
        try await withServer([hello], addresses: ["127.0.0.1:0", "[::1]:0"]) { test in
            #expect(test.addresses.map(\.host) == ["127.0.0.1", "::1"])
            #expect(test.addresses.allSatisfy { $0.port > 0 })
            for index in 0..<2 {
                let client = try test.client(index)
                try await client.send(request("GET", "/hello"))
                #expect(try await client.receiveResponse().text == "hello")
                let record = await test.recorder.nextRecord()
                #expect(record?.remoteAddress.host == test.addresses[index].host)
                try await client.close()
            }
        }
    }

    @Test func refusesToListenWhereSomebodyElseDoes() async throws {
        try await withServer([hello]) { test in
            let second = HTTPServer(
                configuration: ServerConfiguration(addresses: test.addresses), router: try Router([hello]))
            await #expect(throws: ListenError.self) { _ = try await second.start() }
        }
    }
}
