import HTTPServer
import HTTPWire
import Testing

/// What the server writes, seen as bytes.
@Suite(.timeLimit(.minutes(2))) struct ResponseCasesTests {
    /// A handler that tries to say everything itself.
    private static let talkative = Route(.get, "/talkative", name: "talkative") { _ in
        Response(
            status: .ok,
            fields: [
                .contentLength: "3", .transferEncoding: "chunked", .connection: "upgrade",
                "X-Note": "a\r\nSet-Cookie: b",
            ],
            body: .bytes(Array("hello".utf8)))
    }

    private static let streaming = Route(.get, "/stream", name: "stream") { _ in
        let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(Array("hello".utf8))
            continuation.finish()
        }
        return Response(status: .ok, fields: [.contentLength: "3"], body: .stream(chunks))
    }

    @Test(arguments: ["/talkative", "/stream"], ["GET", "HEAD"])
    func exactlyOneFramingIsWritten(path: String, method: String) async throws {
        try await withServer([Self.talkative, Self.streaming]) { test in
            let response = try await test.exchange(request(method, path))
            #expect(response.fields.filter { ["content-length", "transfer-encoding"].contains($0.name) }.count == 1)
            #expect(response["content-length"] == (path == "/talkative" ? "5" : nil))
            #expect(response["connection"] == nil)
            #expect(response.text == (method == "HEAD" ? "" : "hello"))
        }
    }

    @Test func aFieldValueCannotSplitTheResponse() async throws {
        try await withServer([Self.talkative]) { test in
            let response = try await test.exchange(request("GET", "/talkative"))
            #expect(response["x-note"] == "a  Set-Cookie: b")
            #expect(response["set-cookie"] == nil)
        }
    }

    @Test(arguments: [("GET", "/echo", "POST, OPTIONS"), ("POST", "/hello", "GET, HEAD, OPTIONS")])
    func aWrongMethodIsToldTheRightOnes(method: String, path: String, allowed: String) async throws {
        try await withServer([hello, echo]) { test in
            let response = try await test.exchange(request(method, path))
            #expect(response.status == 405)
            let methods = Set((response["allow"] ?? "").split(separator: ", ").map(String.init))
            #expect(methods == Set(allowed.split(separator: ", ").map(String.init)))
        }
    }

    /// The client resets before the answer is written: no signal ends the process, and the server serves on.
    @Test func writingToAResetConnectionHarmsNobody() async throws {
        let started = Signal()
        let release = Signal()
        let slow = Route(.get, "/slow", name: "slow") { _ in
            started.send()
            await release.wait()
            return .text(String(repeating: "x", count: 1_000_000))
        }
        try await withServer([slow, hello], configure: { $0.allowsHalfClose = true }) { test in
            let client = try test.client()
            try await client.send(request("GET", "/slow"))
            await started.wait()
            // Unread on this side when it closes: the kernel answers with RST to what the server writes.
            try await client.finishSending()
            try await client.close()
            release.send()
            let record = await test.recorder.nextRecord()
            #expect(record?.outcome == .clientGone || record?.outcome == .completed)
            #expect(try await test.exchange(request("GET", "/hello")).text == "hello")
        }
    }

    @Test func aHandlerThatIgnoresItsCancellationHoldsUpNobody() async throws {
        let started = Signal()
        let release = Signal()
        let stubborn = Route(.get, "/stubborn", name: "stubborn") { _ in
            started.send()
            // A task of its own doesn't hear of the cancellation.
            await Task.detached { await release.wait() }.value
            return .text("too late")
        }
        try await withServer([stubborn, hello]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/stubborn"))
            await started.wait()
            try await client.close(reset: true)
            #expect(await test.recorder.nextRecord()?.outcome == .clientGone)
            await test.recorder.waitUntilClosed(1)
            #expect(try await test.exchange(request("GET", "/hello")).text == "hello")

            let another = try test.client()
            try await another.send(request("GET", "/stubborn"))
            await started.wait()
            await test.server.stop(grace: .zero)
            #expect(await test.server.openConnections == 0)
            release.send()
            release.send()
            try await another.close()
        }
    }

    @Test func multipartArrivesAsBrowsersAndCurlSendIt() async throws {
        let form = Route(.post, "/form", name: "form") { request in
            let contentType = request.head.fields[.contentType] ?? ""
            var parser = try MultipartParser(boundary: MultipartParser.boundary(inContentType: contentType))
            var names: [String] = []
            for try await bytes in request.body {
                for case .partBegin(let part) in try parser.feed(bytes[...]) {
                    names.append(part.filename ?? part.name)
                }
            }
            try parser.finish()
            return .text(names.joined(separator: "|"))
        }
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.errorResponder = { error, _ in
                guard let error = error as? MultipartError else { return Response(Problem(describing: error)) }
                return .text("\(error)", status: .badRequest)
            }
        }
        let part = "Content-Disposition: form-data; name="
        let cases: [(body: String, status: Int, text: String?)] = [
            ("--X\r\n\(part)\"f\"; filename=\"a b.jpg\"\r\n\r\ndata\r\n--X--\r\n", 200, "a b.jpg"),
            ("--X\r\n\(part)\"f\"\r\n\r\n--Y\r\n--X-\r\n--X--\r\nepilogue", 200, "f"),
            ("--X\r\n\(part)f; filename*=UTF-8''%C3%A4.jpg\r\n\r\n\r\n--X--", 200, "ä.jpg"),
            ("--X\r\n\(part)\"a\"\r\n\r\n--Y\r\n -X\r\n--X--\r\nepilogue", 200, "a"),
            ("--X\r\n\(part)\"a\"\r\n\r\nno end", 400, nil), ("--X\n\(part)\"a\"\n\n1\n--X--\n", 400, nil),
            (String(repeating: "--X\r\n\(part)\"a\"\r\n\r\n\r\n", count: 10_000) + "--X--", 400, nil),
            ("--X\r\nA: " + String(repeating: "b", count: 100_000), 400, nil),
        ]
        try await withServer([form], configure: configure) { test in
            for (body, status, text) in cases {
                let response = try await test.exchange(
                    request(
                        "POST", "/form", "Content-Type: multipart/form-data; boundary=X",
                        "Content-Length: \(body.utf8.count)", "Connection: close", body: body))
                #expect(response.status == status, "\(body.prefix(80)) gave \(response.text)")
                if let text { #expect(response.text == text) }
            }
        }
    }
}
