import HTTPWire
import Testing

@Suite struct RequestParserTests {
    /// The one head of a valid request, the same for every split of the input.
    private func head(_ request: String) throws -> RequestHead {
        let outcomes = everySplit(of: bytes(request)).map { parse($0) }
        let first = try #require(outcomes.first)
        #expect(outcomes.allSatisfy { $0 == first })
        #expect(first.error == nil)
        #expect(first.heads.count == 1)
        return try #require(first.heads.first)
    }

    @Test func readsAPlainRequest() throws {
        let head = try head("GET /a/b?x=1 HTTP/1.1\r\nHost: example.org\r\nAccept:*/*\r\nX-Empty:\r\n\r\n")
        #expect(head.method == .get)
        #expect(head.target.path == "/a/b")
        #expect(head.target.query("x") == "1")
        #expect(head.version == .http11)
        #expect(head.fields.pairs.map(\.name) == ["Host", "Accept", "X-Empty"])
        #expect(head.fields.pairs.map(\.value) == ["example.org", "*/*", ""])
        #expect(head.bodyFraming == .none)
        #expect(head.allowsPersistence)
        #expect(!head.expectsContinue)
    }

    @Test func trimsWhiteSpaceAroundAValueOnly() throws {
        let head = try head("GET / HTTP/1.1\r\nHost: \t a \r\nX-Text: one \t two\t\r\n\r\n")
        #expect(head.fields[.host] == "a")
        #expect(head.fields["x-text"] == "one \t two")
    }

    @Test func readsPipelinedRequestsInOrder() {
        let request = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n"
        for split in everySplit(of: bytes(request)) {
            #expect(parse(split).heads.map(\.target.path) == ["/1", "/2"])
        }
    }

    @Test func forgivesAFewEmptyLinesBeforeARequest() throws {
        #expect(try head("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n").method == .get)
        #expect(parse([bytes(String(repeating: "\r\n", count: 5))]).error == .malformedRequestLine)
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
        ("HTTP/1.1", "Connection: foo, CLOSE\r\n", false), ("HTTP/1.0", "", false),
        ("HTTP/1.0", "Connection: Keep-Alive\r\n", true), ("HTTP/1.0", "Connection: keep-alive, close\r\n", false),
        ("HTTP/1.2", "", true),
    ])
    func knowsWhetherTheConnectionMayLiveOn(version: String, field: String, persists: Bool) throws {
        #expect(try head("GET / \(version)\r\nHost: a\r\n\(field)\r\n").allowsPersistence == persists)
    }

    @Test(arguments: [
        ("Content-Length: 5\r\n", BodyFraming.length(5)), ("Content-Length: 0\r\n", .none),
        ("content-length: 0007 \r\n", .length(7)), ("Transfer-Encoding: chunked\r\n", .chunked),
        ("transfer-encoding: CHUNKED\r\n", .chunked), ("", .none),
    ])
    func knowsHowTheBodyIsDelimited(field: String, framing: BodyFraming) throws {
        #expect(try head("POST / HTTP/1.1\r\nHost: a\r\n\(field)\r\n").bodyFraming == framing)
    }

    @Test func heedsAnExpectationOnlyWhereThereIsABodyToWaitFor() throws {
        let expect = "Host: a\r\nExpect: 100-Continue\r\n"
        #expect(try head("POST / HTTP/1.1\r\n\(expect)Content-Length: 1\r\n\r\n").expectsContinue)
        #expect(try !head("POST / HTTP/1.1\r\n\(expect)\r\n").expectsContinue)
        #expect(try !head("POST / HTTP/1.0\r\n\(expect)Content-Length: 1\r\n\r\n").expectsContinue)
        // RFC 9110 section 10.1.1: a server ignores it in HTTP/1.0, whatever it is.
        #expect(try !head("POST / HTTP/1.0\r\nExpect: a miracle\r\n\r\n").expectsContinue)
    }

    static let refusals: [(String, RequestError)] = [
        // The request line.
        ("GET /\r\n", .malformedRequestLine), ("GET  / HTTP/1.1\r\n", .malformedRequestLine),
        ("GET / HTTP/1.1 \r\n", .malformedRequestLine), (" GET / HTTP/1.1\r\n", .malformedRequestLine),
        ("GET / /x HTTP/1.1\r\n", .malformedRequestLine), ("G(T / HTTP/1.1\r\n", .malformedRequestLine),
        ("GET / HTTP/1\r\n", .malformedRequestLine), ("GET / HTTP/1.10\r\n", .malformedRequestLine),
        ("GET / http/1.1\r\n", .malformedRequestLine), ("GET / HTTP/11\r\n", .malformedRequestLine),
        ("GET / HTTP/2.0\r\n", .unsupportedVersion), ("GET / HTTP/0.9\r\n", .unsupportedVersion),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion), ("\u{16}\u{3}\u{1}\u{2}", .controlCharacter),
        ("GET x HTTP/1.1\r\n", .invalidTarget), ("GET * HTTP/1.1\r\n", .invalidTarget),
        ("GET /%zz HTTP/1.1\r\n", .invalidTarget), ("GET /%c0%af HTTP/1.1\r\n", .invalidTarget),
        ("GET /\u{e9} HTTP/1.1\r\n", .invalidTarget),
        // Line endings and control characters.
        ("GET / HTTP/1.1\nHost: a\n\n", .bareLineEnding), ("GET / HTTP/1.1\r\nHost: a\nX: b\r\n", .bareLineEnding),
        ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n", .bareLineEnding), ("\r\r", .bareLineEnding),
        ("GET / HTTP/1.1\r\nHost: a\u{0}\r\n", .controlCharacter), ("GET /\u{7} HTTP/1.1\r\n", .controlCharacter),
        ("GET / HTTP/1.1\r\nX: a\u{7F}\r\n", .controlCharacter),
        // Field lines.
        ("GET / HTTP/1.1\r\nHost a\r\n", .malformedFieldLine), ("GET / HTTP/1.1\r\nHost : a\r\n", .malformedFieldLine),
        ("GET / HTTP/1.1\r\n: a\r\n", .malformedFieldLine), ("GET / HTTP/1.1\r\nX@: a\r\n", .malformedFieldLine),
        ("GET / HTTP/1.1\r\nH\u{e9}: a\r\n", .malformedFieldLine),
        ("GET / HTTP/1.1\r\nX: a\r\n folded\r\n", .foldedFieldLine),
        ("GET / HTTP/1.1\r\n\tX: a\r\n", .foldedFieldLine),
        // Host.
        ("GET / HTTP/1.1\r\n\r\n", .missingHost), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", .repeatedHost),
        ("GET / HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n", .repeatedHost),
        ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .invalidHost), ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", .invalidHost),
        ("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", .invalidHost),
        // Framing.
        ("Content-Length: +5", .invalidContentLength), ("Content-Length: -1", .invalidContentLength),
        ("Content-Length: 0x5", .invalidContentLength), ("Content-Length:", .invalidContentLength),
        ("Content-Length: 5, 5", .invalidContentLength), ("Content-Length: 5 5", .invalidContentLength),
        ("Content-Length: 123456789012345678901", .invalidContentLength),
        ("Content-Length: 5\r\nContent-Length: 5", .invalidContentLength),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked", .conflictingFraming),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .unsupportedTransferEncoding),
        ("Transfer-Encoding: gzip, chunked", .unsupportedTransferEncoding),
        ("Transfer-Encoding: chunked, chunked", .unsupportedTransferEncoding),
        ("Transfer-Encoding: xchunked", .unsupportedTransferEncoding),
        ("Transfer-Encoding: \u{b}chunked", .controlCharacter), ("Transfer-Encoding:", .unsupportedTransferEncoding),
        ("Transfer-Encoding: identity", .unsupportedTransferEncoding),
        // Expect.
        ("Expect: 200-ok", .unknownExpectation), ("Expect: 100-continue, x", .unknownExpectation),
        ("Expect: 100-continue\r\nExpect: 100-continue", .unknownExpectation),
    ].map { text, error in
        // A case without a request line is a header of an otherwise fine request.
        let isField = ["Content", "Transfer", "Expect"].contains { text.hasPrefix($0) }
        return (isField ? "POST / HTTP/1.1\r\nHost: a\r\n\(text)\r\n\r\n" : text, error)
    }

    @Test(arguments: refusals)
    func refuses(request: String, error: RequestError) {
        for split in everySplit(of: bytes(request)) {
            let outcome = parse(split)
            #expect(outcome.error == error)
            #expect(outcome.heads.isEmpty)
        }
    }

    @Test func refusesTransferEncodingInHTTP10() {
        let request = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(parse([bytes(request)]).error == .unsupportedTransferEncoding)
    }

    @Test func holdsTheLimitsToTheByte() {
        let limits = RequestLimits(requestLineBytes: 20, fieldSectionBytes: 16, fieldCount: 2)
        let cases: [(String, RequestError?)] = [
            // 20 bytes, then 21.
            ("GET /345678 HTTP/1.1\r\nHost: a\r\n\r\n", nil),
            ("GET /3456789 HTTP/1.1\r\nHost: a\r\n\r\n", .requestLineTooLong(limit: 20)),
            // 7 + 9 bytes, then one more.
            ("GET / HTTP/1.1\r\nHost: a\r\nX: 567890\r\n\r\n", .none),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: 5678901\r\n\r\n", .fieldSectionTooLarge(limit: 16)),
            ("GET / HTTP/1.1\r\nHost:\r\nX:1\r\nY:1\r\n\r\n", .tooManyFields(limit: 2)),
        ]
        for (request, error) in cases {
            for split in everySplit(of: bytes(request)) {
                #expect(parse(split, limits: limits).error == error, "\(request)")
            }
        }
    }

    @Test func endlessInputIsRefusedAtTheLimitAndNotCollected() {
        #expect(
            parse([[UInt8](repeating: UInt8(ascii: "A"), count: 100_000)]).error
                == .requestLineTooLong(limit: RequestLimits().requestLineBytes))
    }

    @Test func mapsErrorsToTheStatusThatTheStandardNames() {
        #expect(RequestError.requestLineTooLong(limit: 1).status == .uriTooLong)
        #expect(RequestError.tooManyFields(limit: 1).status == .requestHeaderFieldsTooLarge)
        #expect(RequestError.fieldSectionTooLarge(limit: 1).status == .requestHeaderFieldsTooLarge)
        #expect(RequestError.unsupportedVersion.status == .httpVersionNotSupported)
        #expect(RequestError.unknownExpectation.status == .expectationFailed)
        #expect(RequestError.conflictingFraming.status == .badRequest)
    }

    @Test func isIdleOnlyBetweenRequests() throws {
        var parser = RequestParser()
        #expect(parser.isIdle)
        _ = try parser.parse(bytes("G").span)
        #expect(!parser.isIdle)
        _ = try parser.parse(bytes("ET / HTTP/1.1\r\nHost: a\r\n\r\n").span)
        #expect(parser.isIdle)
    }
}
