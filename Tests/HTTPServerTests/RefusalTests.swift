import HTTPServer
import HTTPWire
import Testing

@Suite(.timeLimit(.minutes(2))) struct RefusalTests {
    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", 400, "missing-host"), ("\u{16}\u{3}\u{1}", 400, "control-character"),
        ("GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400, "bare-line-ending"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "unsupported-version"),
        ("GET /" + String(repeating: "a", count: 9000), 414, "request-line-too-long"),
        ("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 40_000), 431, "header-too-large"),
        ("GET / HTTP/1.1\r\n" + String(repeating: "X: a\r\n", count: 101), 431, "too-many-header-fields"),
        ("POST / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417, "unknown-expectation"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nHello", 400, "invalid-content-length"),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
            "conflicting-framing"
        ),
    ])
    func answersAMalformedHeadAndCloses(text: String, status: Int, slug: String) async throws {
        try await withServer([hello]) { test in
            let client = try test.client()
            try await client.send(text)
            let response = try await client.receiveResponse()
            #expect(response.status == status)
            #expect(response["connection"] == "close")
            #expect(response["content-type"] == "application/problem+json")
            #expect(response.text.contains("\"type\":\"https://example.org/problems/\(slug)\""))
            #expect(response.text.contains("\"status\":\(status)"))
            #expect(try await client.receiveToEnd() == [])
            let record = await test.recorder.nextRecord()
            #expect(record?.status?.code == status)
            #expect(record?.route == Router.unmatchedName)
            #expect(record?.method == nil)
            try await client.close()
        }
    }

    @Test func refusesALongBodyBeforeReadingIt() async throws {
        try await withServer([echo], configure: { $0.bodyLimitBytes = 1000 }) { test in
            let client = try test.client()
            try await client.send(request("POST", "/echo", "Content-Length: 1001"))
            let response = try await client.receiveResponse()
            #expect(response.status == 413)
            #expect(response["connection"] == "close")
            #expect(response.text.contains("\"limit_bytes\":1000"))
            #expect(try await client.receiveToEnd() == [])
            try await client.close()
        }
    }

    @Test func aRouteMayHaveALimitOfItsOwn() async throws {
        let small = Route(.post, "/small", name: "small", bodyLimitBytes: 3) { request in
            .text("\(try await request.body.collect(upTo: 100).count)")
        }
        try await withServer([small]) { test in
            let within = try await test.exchange(request("POST", "/small", "Content-Length: 3", body: "abc"))
            #expect(within.text == "3")
            let beyond = try await test.exchange(request("POST", "/small", "Content-Length: 4"))
            #expect(beyond.status == 413)
        }
    }

    @Test func theAnswerSurvivesAClientThatKeepsSending() async throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.bodyLimitBytes = 1000
            // However slow this machine is, the client is not given up.
            configuration.timeLimits.lingerIdle = .seconds(120)
        }
        try await withServer([echo], configure: configure) { test in
            let client = try test.client()
            try await client.send(request("POST", "/echo", "Content-Length: 4000000"))
            // Sent whole before the answer is read, as many clients do: without lingering this ends in a reset.
            try await client.send([UInt8](repeating: 0, count: 4_000_000))
            #expect(try await client.receiveResponse().status == 413)
            try await client.close()
        }
    }

    @Test func refusesAChunkedBodyThatGrowsTooLong() async throws {
        try await withServer([echo], configure: { $0.bodyLimitBytes = 10 }) { test in
            let client = try test.client()
            try await client.send(
                request("POST", "/echo", "Transfer-Encoding: chunked", body: "5\r\nHello\r\n6\r\nWorld!\r\n0\r\n\r\n"))
            #expect(try await client.receiveResponse().status == 413)
            #expect(try await client.receiveToEnd() == [])
            try await client.close()
        }
    }

    @Test func aMalformedChunkGetsOneAnswer() async throws {
        try await withServer([echo]) { test in
            let client = try test.client()
            try await client.send(
                request("POST", "/echo", "Transfer-Encoding: chunked", body: "5\r\nHello\r\nx\r\n")
                    + request("GET", "/hello"))
            let response = try await client.receiveResponse()
            #expect(response.status == 400)
            #expect(response.text.contains("/invalid-chunk-size\""))
            #expect(try await client.receiveToEnd() == [])
            try await client.close()
        }
    }

    @Test func sends100WhenTheBodyIsWanted() async throws {
        let gate = Signal()
        let route = Route(.post, "/", name: "expect") { request in
            await gate.wait()
            return .text("\(try await request.body.collect(upTo: 100).count)")
        }
        try await withServer([route, hello]) { test in
            let client = try test.client()
            try await client.send(request("POST", "/", "Content-Length: 5", "Expect: 100-continue"))
            gate.send()
            #expect(try await client.receiveHead() == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("Hello")
            #expect(try await client.receiveResponse().text == "5")
            try await client.send(request("GET", "/hello"))
            #expect(try await client.receiveResponse().text == "hello")
            try await client.close()
        }
    }

    @Test func sendsNo100BeforeARefusal() async throws {
        try await withServer([echo], configure: { $0.bodyLimitBytes = 1000 }) { test in
            for (path, length, status) in [("/echo", 1001, 413), ("/none", 5, 404)] {
                let client = try test.client()
                try await client.send(request("POST", path, "Content-Length: \(length)", "Expect: 100-continue"))
                let response = try await client.receiveResponse()
                #expect(response.status == status)
                #expect(response["connection"] == "close")
                #expect(try await client.receiveToEnd() == [])
                try await client.close()
            }
        }
    }

    @Test func readsOverASmallBodyNobodyWanted() async throws {
        let ignoring = Route(.post, "/ignore", name: "ignore") { _ in .text("ignored") }
        try await withServer([hello, ignoring]) { test in
            let client = try test.client()
            for (path, status) in [("/none", 404), ("/ignore", 200)] {
                try await client.send(request("POST", path, "Content-Length: 5"))
                let response = try await client.receiveResponse()
                #expect(response.status == status)
                #expect(response["connection"] == nil)
                try await client.send("Hello" + request("GET", "/hello"))
                #expect(try await client.receiveResponse().text == "hello")
            }
            try await client.close()
        }
    }

    @Test func turnsErrorsIntoAnswers() async throws {
        struct Private: Error {}
        let routes = [
            Route(.get, "/problem", name: "problem") { _ in
                throw Problem(
                    status: .unsupportedMediaType, slug: "format", title: "Format", detail: "a \"b\"\n\u{1}",
                    members: [.init("found", .string("pdf")), .init("known", .strings(["jpeg", "png"]))],
                    fields: [.accept: "image/jpeg"])
            },
            Route(.get, "/private", name: "private") { _ in throw Private() },
            Route(.get, "/cancelled", name: "cancelled") { _ in throw CancellationError() },
        ]
        try await withServer(routes) { test in
            let problem = try await test.exchange(request("GET", "/problem", "X-Request-Id: id"))
            #expect(problem.status == 415)
            #expect(problem["accept"] == "image/jpeg")
            let expected =
                #"{"type":"https://example.org/problems/format","title":"Format","status":415,"#
                + #""detail":"a \"b\"\n\u0001","instance":"id","found":"pdf","known":["jpeg","png"]}"# + "\n"
            #expect(problem.text == expected)
            // A handler that gives up while its client waits has failed.
            for path in ["/private", "/cancelled"] {
                let response = try await test.exchange(request("GET", path))
                #expect(response.status == 500)
                #expect(!response.text.contains("Private"))
            }
        }
    }

    @Test func theErrorResponderHasTheLastWord() async throws {
        struct Teapot: Error {}
        let route = Route(.get, "/", name: "tea") { _ in throw Teapot() }
        try await withServer(
            [route], configure: { $0.errorResponder = { .text("\($0) \($1.route)", status: HTTPStatus(418)) } }
        ) { test in
            let response = try await test.exchange(request("GET", "/"))
            #expect(response.status == 418)
            #expect(response.text == "Teapot() tea")
        }
    }
}
