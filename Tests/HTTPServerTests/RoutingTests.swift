import HTTPServer
import HTTPWire
import Testing

@Suite struct RoutingTests {
    @Test func refusesMistakesInTheProgram() {
        for pattern in ["", "a", "/{", "/a{b}", "/{}", "/a}"] {
            #expect(throws: Router.ConfigurationError.invalidPattern(pattern)) {
                try Router([Route(.get, pattern, name: "x") { _ in .text("") }])
            }
        }
        #expect(throws: Router.ConfigurationError.duplicateRoute(method: "GET", pattern: "/hello")) {
            try Router([hello, hello])
        }
    }

    @Test(arguments: [
        ("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:8080", "::1", 8080), ("localhost:0", "localhost", 0),
    ])
    func readsAddresses(text: String, host: String, port: Int) throws {
        let address = try #require(SocketAddress(text))
        #expect(address == SocketAddress(host: host, port: port))
        #expect(address.description == text)
    }

    @Test(arguments: ["", "a", ":80", "a:", "a:b", "a:65536", "a:-1", "::1:80", "[]:80"])
    func refusesAddresses(text: String) {
        #expect(SocketAddress(text) == nil)
    }
}
