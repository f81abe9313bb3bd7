import Glibc
import HTTPWire
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(2))) struct ResponseCodingTests {
    private static let long = String(repeating: "a line that repeats itself\n", count: 100)

    /// The same answer by a task and on the reactor.
    private static func routes(_ response: Response) -> [Route] {
        [
            Route(.get, "/task", name: "task") { _ in response },
            .immediate(.get, "/reactor", name: "reactor") { _ in response },
        ]
    }

    private func forBoth(_ response: Response, _ body: (TestServer, String) async throws -> Void) async throws {
        try await withServer(Self.routes(response)) { test in
            for path in ["/task", "/reactor"] { try await body(test, path) }
        }
    }

    @Test(arguments: ["text/plain; version=0.0.4", "application/json", "application/problem+json", "Text/HTML"])
    func deflatesWhatIsWorthItForClientsThatTakeIt(contentType: String) async throws {
        try await forBoth(Response(contentType: contentType, bytes: Array(Self.long.utf8))) { test, path in
            let coded = try await test.exchange(request("GET", path, "Accept-Encoding: gzip, br"))
            #expect(coded["content-encoding"] == "gzip")
            #expect(coded["vary"] == "Accept-Encoding")
            #expect(coded["content-length"] == "\(coded.body.count)")
            #expect(coded.body.count < Self.long.utf8.count / 4)
            #expect(inflated([coded.body]).text == Self.long)

            let head = try await test.exchange(request("HEAD", path, "Accept-Encoding: gzip, br"))
            let names = { (response: RawResponse) in response.fields.map(\.name) }
            #expect(names(head) == names(coded))
            #expect(head["content-length"] == coded["content-length"])

            for refusal in ["Accept-Encoding: br", "Accept-Encoding: gzip;q=0", "Accept: */*"] {
                let plain = try await test.exchange(request("GET", path, refusal))
                #expect(plain["content-encoding"] == nil)
                #expect(plain["vary"] == "Accept-Encoding")
                #expect(plain.text == Self.long)
            }
        }
    }

    @Test func leavesOtherAnswersAlone() async throws {
        let bytes = Array(Self.long.utf8)
        var coded = Response(contentType: "text/plain", bytes: bytes)
        coded.fields.set(.contentEncoding, "br")
        var tagged = Response(contentType: "text/plain", bytes: bytes)
        tagged.fields.set(.entityTag, "\"1\"")
        var fixed = Response(contentType: "text/plain", bytes: bytes)
        fixed.fields.set(.cacheControl, "private, no-transform")
        let answers = [
            coded, tagged, fixed, Response(contentType: "application/octet-stream", bytes: bytes),
            Response(contentType: "image/jpeg", bytes: bytes), .text(String(repeating: "a", count: 1023)),
        ]
        for answer in answers {
            try await forBoth(answer) { test, path in
                let response = try await test.exchange(request("GET", path, "Accept-Encoding: gzip"))
                #expect(response["content-encoding"] == answer.fields[.contentEncoding])
                #expect(response["vary"] == nil)
            }
        }
    }

    @Test func aClientThatRefusesIdentityGetsSmallAnswersDeflated() async throws {
        try await forBoth(.text("small")) { test, path in
            let response = try await test.exchange(request("GET", path, "Accept-Encoding: gzip, identity;q=0"))
            #expect(response["content-encoding"] == "gzip")
            #expect(inflated([response.body]).text == "small")
            // Nothing that it takes can be made: it gets the answer as it is.
            let plain = try await test.exchange(request("GET", path, "Accept-Encoding: br, *;q=0"))
            #expect(plain.text == "small")
        }
    }

    @Test func canBeTurnedOff() async throws {
        try await withServer(Self.routes(.text(Self.long)), configure: { $0.compressesResponses = false }) { test in
            for path in ["/task", "/reactor"] {
                let response = try await test.exchange(request("GET", path, "Accept-Encoding: gzip"))
                #expect(response.text == Self.long)
                #expect(response["vary"] == nil)
            }
        }
    }

    @Test func aLongProblemIsDeflatedToo() async throws {
        let route = Route(.get, "/", name: "problem") { _ in
            throw Problem(status: .badRequest, slug: "long", title: "Long", detail: Self.long)
        }
        try await withServer([route]) { test in
            let fields = ["Accept-Encoding: gzip", "X-Request-Id: some-id"]
            let response = try await test.exchange(request("GET", "/", fields[0], fields[1]))
            #expect(response.status == 400)
            #expect(response["content-encoding"] == "gzip")
            #expect(inflated([response.body]).text.contains("\"instance\":\"some-id\""))
        }
    }

    @Test func aLargeAnswerIsDeflatedByItsTaskButNotOnTheReactor() async throws {
        let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        try await withServer(Self.routes(Response(contentType: "text/plain", bytes: bytes))) { test in
            let coded = try await test.exchange(request("GET", "/task", "Accept-Encoding: gzip"))
            #expect(coded["content-encoding"] == "gzip")
            #expect(inflated([coded.body], outputLimit: 65_536).content == bytes)
            let plain = try await test.exchange(request("GET", "/reactor", "Accept-Encoding: gzip"))
            #expect(plain["content-encoding"] == nil)
            #expect(plain.body == bytes)
        }
    }
}

@Suite struct GzipEncoderTests {
    private func deflated(_ content: [UInt8], cutAt position: Int, level: Int32 = 1) -> [UInt8] {
        guard var encoder = GzipEncoder(level: level) else { return [] }
        var output: [UInt8] = []
        encoder.append(content[..<position], isLast: false, to: &output)
        encoder.append(content[position...], isLast: true, to: &output)
        return output
    }

    @Test func theResultDoesNotDependOnWhereTheContentIsCut() {
        let content = Array("the same bytes, the same bytes, however they are cut".utf8)
        let whole = deflated(content, cutAt: 0)
        for position in content.indices {
            #expect(deflated(content, cutAt: position) == whole)
        }
        #expect(inflated([whole]).content == content)
        #expect(inflated([deflated([], cutAt: 0)]) == InflateOutcome())
    }

    @Test func theGzipCommandReadsIt() throws {
        // More than one step of the output, and hardly compressible.
        var state: UInt64 = 1
        let content = (0..<200_000).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 59)
        }
        let path = "/tmp/http-\(getpid())-\(UInt32.random(in: 0 ... .max)).gz"
        defer { unlink(path) }
        let compressed = deflated(content, cutAt: 77)
        let file = try #require(fopen(path, "w"))
        #expect(fwrite(compressed, 1, compressed.count, file) == compressed.count)
        fclose(file)
        let command = try #require(popen("gzip -dc \(path)", "r"))
        var output = [UInt8](repeating: 0, count: content.count + 1)
        output.removeLast(output.count - fread(&output, 1, output.count, command))
        #expect(pclose(command) == 0)
        #expect(output == content)
    }
}
