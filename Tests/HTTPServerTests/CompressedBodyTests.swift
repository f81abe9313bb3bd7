import HTTPWire
import Testing
import Threads

@testable import HTTPServer

@Suite(.timeLimit(.minutes(2))) struct CompressedBodyTests {
    /// Answers with the pieces' joined content, and how large the largest was.
    private static let pieces = Route(.post, "/pieces", name: "pieces") { request in
        var total = 0
        var largest = 0
        for try await piece in request.body {
            total += piece.count
            largest = max(largest, piece.count)
        }
        return .text("\(total) \(largest)")
    }

    private func post(_ target: String, _ body: [UInt8], _ fields: String...) -> [UInt8] {
        let lines = ["POST \(target) HTTP/1.1", "Host: test", "Content-Length: \(body.count)"] + fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private func answer(_ request: [UInt8], of test: TestServer) async throws -> RawResponse {
        let client = try test.client()
        try await client.send(request)
        let response = try await client.receiveResponse()
        try await client.close()
        return response
    }

    @Test(arguments: ["gzip", "x-gzip", "GZip", "identity, gzip"])
    func inflatesABody(coding: String) async throws {
        try await withServer([echo]) { test in
            let request = post("/echo", GzipDecoderTests.python, "Content-Encoding: \(coding)")
            let response = try await answer(request, of: test)
            #expect(response.status == 200)
            #expect(response.text == "Hello, gzip! Hello, gzip! Hello, gzip!\n")
        }
    }

    @Test func leavesABodyWithoutCodingAlone() async throws {
        try await withServer([echo]) { test in
            for fields in ["Content-Encoding: identity", "Content-Encoding:", "Accept: */*"] {
                let response = try await answer(post("/echo", GzipDecoderTests.python, fields), of: test)
                #expect(response.body == GzipDecoderTests.python)
            }
        }
    }

    @Test func inflatesAChunkedBodyAndGoesOnWithTheNextRequest() async throws {
        try await withServer([echo, hello]) { test in
            let client = try test.client()
            let body = GzipDecoderTests.stored
            var chunks: [UInt8] = []
            for byte in body { chunks += Array("1\r\n".utf8) + [byte] + [13, 10] }
            try await client.send(request("POST", "/echo", "Transfer-Encoding: chunked", "Content-Encoding: gzip"))
            try await client.send(chunks + Array("0\r\n\r\n".utf8))
            #expect(try await client.receiveResponse().text == "stored")
            try await client.send(request("GET", "/hello"))
            #expect(try await client.receiveResponse().text == "hello")
            try await client.close()
        }
    }

    /// A client must not hold a thread with what gives no content.
    @Test func aBodyOfNothingIsReadInSmallStepsAndCanBeCancelled() async throws {
        let pipe = BodyPipe(highWaterBytes: 1 << 20, onDemand: {})
        pipe.append(repeated(GzipDecoderTests.empty, count: 10_000).span)
        pipe.finish()
        let steps = Locked(0)
        let inflation = Inflation(
            limit: 1,
            admit: { _ in
                let isEnough = steps.withLock { steps in
                    steps += 1
                    return steps == 10
                }
                if isEnough { withUnsafeCurrentTask { $0?.cancel() } }
            })
        let body = RequestBody(gzip: pipe, inflation)
        let reading = Task { try await body.collect(upTo: 1) }
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(steps.withLock { $0 } == 10)
    }

    @Test func theLimitHoldsForTheContent() async throws {
        let bomb = gzipped([UInt8](repeating: 0, count: 8 << 20))
        try await withServer([echo, Self.pieces], configure: { $0.bodyLimitBytes = 1 << 20 }) { test in
            for target in ["/echo", "/pieces"] {
                let refused = try await answer(post(target, bomb, "Content-Encoding: gzip"), of: test)
                #expect(refused.status == 413)
                #expect(refused.text.contains("\"limit_bytes\":1048576"))
                let exact = gzipped([UInt8](repeating: 0, count: 1 << 20))
                let response = try await answer(post(target, exact, "Content-Encoding: gzip"), of: test)
                #expect(response.status == 200)
            }
        }
    }

    @Test func theContentComesInSmallPieces() async throws {
        try await withServer([Self.pieces]) { test in
            let body = gzipped([UInt8](repeating: 7, count: 1 << 20))
            let response = try await answer(post("/pieces", body, "Content-Encoding: gzip"), of: test)
            #expect(response.text == "1048576 65536")
        }
    }

    @Test func sends100ForABodyThatIsInflated() async throws {
        try await withServer([echo]) { test in
            let client = try test.client()
            let body = GzipDecoderTests.stored
            try await client.send(
                request(
                    "POST", "/echo", "Content-Length: \(body.count)", "Content-Encoding: gzip", "Expect: 100-continue"))
            #expect(try await client.receiveHead() == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send(body)
            #expect(try await client.receiveResponse().text == "stored")
            try await client.close()
        }
    }

    @Test func aClientThatLeavesEndsTheReading() async throws {
        let failure = AsyncStream<any Error>.makeStream()
        let route = Route(.post, "/", name: "read") { request in
            do {
                return .text("\(try await request.body.collect(upTo: 100).count)")
            } catch {
                failure.continuation.yield(error)
                throw error
            }
        }
        try await withServer([route]) { test in
            let client = try test.client()
            try await client.send(Array(post("/", GzipDecoderTests.python, "Content-Encoding: gzip").dropLast(5)))
            try await client.close()
            var failures = failure.stream.makeAsyncIterator()
            let error = await failures.next()
            #expect(error is CancellationError || error as? BodyError == .clientGone)
            #expect(await test.recorder.nextRecord()?.outcome == .clientGone)
        }
    }

    @Test func theRateOfABombIsTheReadersOwn() async throws {
        // 64 MiB from 64 KiB: the first pieces are all that a reader gets who stops there.
        let bomb = gzipped([UInt8](repeating: 0, count: 64 << 20))
        let route = Route(.post, "/", name: "first") { request in
            var pieces = request.body.makeAsyncIterator()
            return .text("\(try await pieces.next()?.count ?? 0)")
        }
        try await withServer([route], configure: { $0.bodyLimitBytes = 128 << 20 }) { test in
            let response = try await answer(post("/", bomb, "Content-Encoding: gzip"), of: test)
            #expect(response.text == "65536")
        }
    }

    @Test func tellsWhatIsWrongWithABody() async throws {
        let good = GzipDecoderTests.python
        let cases: [([UInt8], String)] = [
            (Array("hello".utf8), "corrupt-gzip"), (Array(good.dropLast()), "truncated-gzip"),
            (good + [0], "gzip-trailing-bytes"),
        ]
        try await withServer([echo, Self.pieces]) { test in
            for (body, slug) in cases {
                for target in ["/echo", "/pieces"] {
                    let response = try await answer(post(target, body, "Content-Encoding: gzip"), of: test)
                    #expect(response.status == 400)
                    #expect(response.text.contains("/\(slug)\""), "\(slug): \(response.text)")
                }
            }
            #expect(test.recorder.refusedInput == cases.flatMap { [$0.1, $0.1] })
        }
    }

    @Test(arguments: ["br", "deflate", "gzip, gzip", "gzip, br", "*"])
    func refusesOtherCodingsBeforeTheHandlerRuns(coding: String) async throws {
        try await withServer([echo, hello]) { test in
            let client = try test.client()
            try await client.send(post("/echo", [1, 2, 3], "Content-Encoding: \(coding)"))
            let response = try await client.receiveResponse()
            #expect(response.status == 415)
            #expect(response["accept-encoding"] == "gzip")
            #expect(response.text.contains("/unsupported-content-coding\""))
            #expect(test.recorder.refusedInput == ["unsupported-content-coding"])
            try await client.send(request("GET", "/hello"))
            #expect(try await client.receiveResponse().text == "hello")
            try await client.close()
        }
    }
}
