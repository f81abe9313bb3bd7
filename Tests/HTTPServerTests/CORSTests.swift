import HTTPServer
import HTTPWire
import Testing

@Suite(.timeLimit(.minutes(2))) struct CORSTests {
    private static let site = "https://example.org"

    private func withPolicy(_ origins: CORSPolicy.Origins?, _ body: (TestServer) async throws -> Void) async throws {
        try await withServer([hello, echo], configure: { $0.cors = origins.map(CORSPolicy.init) }, body)
    }

    private func preflight(_ path: String, from origin: String) -> String {
        request(
            "OPTIONS", path, "Origin: \(origin)", "Access-Control-Request-Method: POST",
            "Access-Control-Request-Headers: content-type, x-request-id")
    }

    @Test func saysNothingByDefault() async throws {
        try await withPolicy(nil) { test in
            for request in [preflight("/echo", from: Self.site), request("GET", "/hello", "Origin: \(Self.site)")] {
                let response = try await test.exchange(request)
                #expect(response.status < 300)
                #expect(!response.fields.contains { $0.name.hasPrefix("access-control") || $0.name == "vary" })
            }
        }
    }

    @Test(arguments: [CORSPolicy.Origins.any, .only([site, "http://localhost:3000"])])
    func answersAPreflight(origins: CORSPolicy.Origins) async throws {
        try await withPolicy(origins) { test in
            let response = try await test.exchange(preflight("/echo", from: Self.site))
            #expect(response.status == 204)
            #expect(response["access-control-allow-origin"] == (origins == .any ? "*" : Self.site))
            #expect(response["access-control-allow-methods"] == "POST, OPTIONS")
            #expect(response["access-control-allow-headers"] == "content-type, x-request-id")
            #expect(response["access-control-max-age"] == "600")
            #expect(response["access-control-allow-credentials"] == nil)
            #expect(response["vary"] == "Access-Control-Request-Headers" + (origins == .any ? "" : ", Origin"))
            #expect(response["allow"] == "POST, OPTIONS")
        }
    }

    @Test func letsAnAllowedOriginReadEveryAnswer() async throws {
        try await withPolicy(.only([Self.site])) { test in
            for (method, path, status) in [("GET", "/hello", 200), ("GET", "/none", 404), ("PUT", "/echo", 405)] {
                let response = try await test.exchange(request(method, path, "Origin: \(Self.site)"))
                #expect(response.status == status)
                #expect(response["access-control-allow-origin"] == Self.site)
                #expect(response["access-control-expose-headers"] == "X-Request-Id, Server-Timing")
                #expect(response["vary"] == "Origin")
            }
        }
    }

    @Test(arguments: ["https://example.org.evil.test", "http://example.org", "null", "https://EXAMPLE.org", ""])
    func keepsOtherOriginsOut(origin: String) async throws {
        try await withPolicy(.only([Self.site])) { test in
            for request in [preflight("/echo", from: origin), request("GET", "/hello", "Origin: \(origin)")] {
                let response = try await test.exchange(request)
                #expect(!response.fields.contains { $0.name.hasPrefix("access-control") })
                #expect(response["vary"] == "Origin")
            }
        }
    }

    @Test func anAnswerWithoutOriginTellsCachesWhatItDependsOn() async throws {
        try await withPolicy(.only([Self.site])) { test in
            let plain = try await test.exchange(request("GET", "/hello"))
            #expect(plain["vary"] == "Origin")
            let malformed = try await test.exchange("GET / HTTP/1.1\r\n\r\n")
            #expect(malformed.status == 400)
            #expect(malformed["vary"] == "Origin")
        }
        try await withPolicy(.any) { test in
            let open = try await test.exchange(request("GET", "/hello"))
            #expect(open["vary"] == nil)
            #expect(open["access-control-allow-origin"] == nil)
        }
    }

    @Test func aPreflightEchoesNothingButFieldNames() async throws {
        try await withPolicy(.any) { test in
            let odd = request(
                "OPTIONS", "/echo", "Origin: x", "Access-Control-Request-Method: POST",
                "Access-Control-Request-Headers: a b, <script>, good")
            let response = try await test.exchange(odd)
            #expect(response["access-control-allow-headers"] == "good")
        }
    }

    @Test(arguments: ["https://example.org", "http://localhost:3000", "http://[::1]:80", "chrome-extension://abc"])
    func knowsAnOrigin(text: String) {
        #expect(CORSPolicy.isOrigin(text))
    }

    @Test(arguments: [
        "", "*", "null", "example.org", "https://", "https://example.org/", "HTTPS://a", "https://A", "://a", "h ://a",
    ])
    func knowsWhatIsNoOrigin(text: String) {
        #expect(!CORSPolicy.isOrigin(text))
    }
}
