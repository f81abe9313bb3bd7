import HTTPServer
import HTTPWire
import Testing

/// What arrives malformed, over a real socket: one clear answer, `Connection: close`, and nothing behind it is served.
@Suite(.timeLimit(.minutes(2))) struct MessageCasesTests {
    /// A second request behind the bad one: it must not be served, for where it begins is unknown.
    private static let smuggled = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Sends the bytes and expects exactly one response, with this status, and then FIN.
    private func expectRefusal(
        _ text: String, _ status: Int, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await withServer([echo, hello]) { test in
            let client = try test.client()
            try await client.send(text)
            let response = try await client.receiveResponse()
            #expect(response.status == status, comment, sourceLocation: sourceLocation)
            #expect(response["connection"] == "close", sourceLocation: sourceLocation)
            #expect(response["content-type"] == "application/problem+json", sourceLocation: sourceLocation)
            #expect(try await client.receiveToEnd() == [], sourceLocation: sourceLocation)
            try await client.close()
        }
    }

    @Test(arguments: [
        "Transfer-Encoding: gzip", "Transfer-Encoding: xchunked", "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding:",
        "Transfer-Encoding: \"chunked\"", "Transfer-Encoding: chunked;q=1",
        "Transfer-Encoding: chunked\r\nContent-Length: 5", "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5\r\nContent-Length: 6",
    ])
    func refusesAmbiguousFraming(fields: String) async throws {
        try await expectRefusal("POST /echo HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n0\r\n\r\n" + Self.smuggled, 400)
    }

    @Test(arguments: ["+5", "-5", "0x5", "123456789012345678901", "", "5, 5", "5,6", "5 5", "5;", "５", "1e2"])
    func refusesAContentLengthThatIsNoPlainNumber(length: String) async throws {
        try await expectRefusal(
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\nHello" + Self.smuggled, 400)
    }

    @Test(arguments: [
        "no colon\r\n", "Name : value\r\n", ": value\r\n", "X: a\nY: b\r\n", "X: a\rY: b\r\n", "X: a\r\n folded\r\n",
        " X: a\r\n", "X: a\u{0}b\r\n", "X: a\u{1}\r\n", "X: a\u{7F}\r\n", "X\u{0}: a\r\n", "X(): a\r\n", "\n",
    ])
    func refusesAMalformedFieldLine(line: String) async throws {
        try await expectRefusal("GET /hello HTTP/1.1\r\nHost: a\r\n\(line)\r\n" + Self.smuggled, 400)
    }

    @Test(arguments: [
        "+5\r\nHello\r\n0\r\n\r\n", "-5\r\nHello\r\n0\r\n\r\n", "0x5\r\nHello\r\n0\r\n\r\n", "\r\nHello",
        "5 5\r\nHello\r\n0\r\n\r\n", "5\nHello\r\n0\r\n\r\n", "5\r\nHello!\r\n0\r\n\r\n", "5\r\nHello0\r\n\r\n",
        "5\r\nHello\n0\r\n\r\n", "0000000000000005\r\nHello\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFF\r\n",
        "5;a\nb\r\nHello\r\n0\r\n\r\n", "5;\u{0}\r\nHello\r\n0\r\n\r\n", "0\r\nno colon\r\n\r\n", "0\r\nX: a\n\r\n",
        "1;" + String(repeating: "a", count: 17_000),
        String(repeating: "1;" + String(repeating: "a", count: 100) + "\r\nx\r\n", count: 200),
        "0\r\nX: " + String(repeating: "a", count: 17_000),
        "0\r\n" + String(repeating: "X: abcdefgh\r\n", count: 2_000),
    ])
    func refusesAMalformedChunkedBody(body: String) async throws {
        try await expectRefusal(request("POST", "/echo", "Transfer-Encoding: chunked", body: body), 400)
    }

    @Test func refusesAChunkLargerThanTheLimitBeforeItsBytes() async throws {
        try await expectRefusal(request("POST", "/echo", "Transfer-Encoding: chunked", body: "7fffffff\r\n"), 413)
    }

    @Test(arguments: [
        ("5\r\nHello\r\n0\r\n\r\n", "Hello"), ("00005;a=b;c=\"d\"\r\nHello\r\n0;last\r\nX: trailer\r\n\r\n", "Hello"),
        ("1\r\nH\r\n1\r\ni\r\n00\r\n\r\n", "Hi"), ("a\r\n0\r\n\r\nHello\r\n0\r\n\r\n", "0\r\n\r\nHello"),
        ("5 \t;a\r\nHello\r\n0\r\n\r\n", "Hello"), ("0\r\n\r\n", ""),
    ])
    func decodesAChunkedBody(body: String, content: String) async throws {
        try await withServer([echo, hello]) { test in
            let client = try test.client()
            try await client.send(request("POST", "/echo", "Transfer-Encoding: chunked", body: body) + Self.smuggled)
            #expect(try await client.receiveResponse().text == content)
            #expect(try await client.receiveResponse().text == "hello")
            try await client.close()
        }
    }

    @Test(arguments: [
        // Percent-encoding, and where an escape decodes to.
        ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /%2 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /%c0%af HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /%ed%a0%80 HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /a?b=%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        // The forms of a target.
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET hello HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET http:// HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET http://:80/hello HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET http://example.org@evil/hello HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        // Host.
        ("GET /hello HTTP/1.1\r\n\r\n", 400), ("GET /hello HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        ("GET /hello HTTP/1.1\r\nHost: a/b\r\n\r\n", 400), ("GET /hello HTTP/1.1\r\nHost: a, b\r\n\r\n", 400),
        ("GET /hello HTTP/1.1\r\nHost: a:b\r\n\r\n", 400), ("GET /hello HTTP/1.1\r\nHost: [::1\r\n\r\n", 400),
        ("GET /hello HTTP/1.1\r\nHost: a@b\r\n\r\n", 400), ("GET http://a:b/hello HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        // Versions and other protocols.
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("GET /hello HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("GET /hello HTTP/0.9\r\n\r\n", 505), ("GET /hello\r\n", 400), ("GET /hello http/1.1\r\n", 400),
        ("GET  /hello HTTP/1.1\r\n", 400), ("GET\t/hello HTTP/1.1\r\n", 400), ("GET /hello HTTP/1.1 \r\n", 400),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}", 400),
    ])
    func refusesWhatIsNoRequestOfHTTP1(text: String, status: Int) async throws {
        try await expectRefusal(text, status)
    }

    @Test(arguments: [
        ("GET http://example.org/hello HTTP/1.1\r\nHost: other\r\n\r\n", 200),
        ("GET HTTPS://example.org/hello?a=b HTTP/1.1\r\nHost:\r\n\r\n", 200),
        ("GET /h%65llo HTTP/1.1\r\nHost: a\r\n\r\n", 200), ("\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\n\r\n", 200),
        ("GET /hello HTTP/1.9\r\nHost: a\r\n\r\n", 200), ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 204),
        // Neither empty nor dot segments are resolved: they name nothing.
        ("GET //hello HTTP/1.1\r\nHost: a\r\n\r\n", 404), ("GET /x/../hello HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        ("GET /%2e%2e/hello HTTP/1.1\r\nHost: a\r\n\r\n", 404), ("GET /%2Fhello HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        // Methods are case-sensitive.
        ("get /hello HTTP/1.1\r\nHost: a\r\n\r\n", 501), ("BREW /hello HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 501), ("TRACE /hello HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    ])
    func answersAndKeepsTheConnection(text: String, status: Int) async throws {
        try await withServer([hello]) { test in
            let client = try test.client()
            try await client.send(text)
            #expect(try await client.receiveResponse().status == status)
            try await client.send(Self.smuggled)
            #expect(try await client.receiveResponse().text == "hello")
            try await client.close()
        }
    }

    @Test func http10ClosesUnlessAskedToPersist() async throws {
        try await withServer([hello]) { test in
            let client = try test.client()
            try await client.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try await client.receiveResponse()["connection"] == "keep-alive")
            try await client.send("GET /hello HTTP/1.0\r\n\r\n")
            #expect(try await client.receiveResponse()["connection"] == "close")
            #expect(try await client.receiveToEnd() == [])
            try await client.close()
        }
    }
}
