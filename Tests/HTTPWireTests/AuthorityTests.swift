import HTTPWire
import Testing

/// Hosts with and without ports (RFC 3986 section 3.2.2), in the Host field and in a target.
@Suite struct AuthorityTests {
    private func head(host: String) throws -> RequestHead? {
        var parser = RequestParser()
        return try parser.parse(Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8).span).head
    }

    @Test(arguments: [
        "a", "example.org", "example.org:8080", "a:", "127.0.0.1:80", "1.2.3", "a_b~-!$&'()*+;=", "%41%c3%a4", "[::1]",
        "[::]", "[::1]:80", "[::1]:", "[1:2:3:4:5:6:7:8]", "[1::8]", "[fe80::ABCD]", "[1:2:3:4:5:6:1.2.3.4]",
        "[::ffff:192.0.2.1]", "[1:2:3:4:5:6:7::]", "[v1.a:b]",
    ])
    func accepts(authority: String) throws {
        #expect(try head(host: authority) != nil)
        #expect(RequestTarget("http://\(authority)/", method: .get)?.authority == authority)
    }

    @Test(arguments: [
        "a:b", "a:1:2", ":80", ":", "[::1", "::1", "]", "[]", "[", "a]", "[a]b", "[::1]80", "[::1]:x", "%zz", "%4", "%",
        "a%", "a@b", "a,b", "a b", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[1::2::3]", "[:::]", "[12345::]", "[g::]",
        "[1:2:3:4:5:6:7:1.2.3.4]", "[::1.2.3]", "[::1.2.3.256]", "[::1.2.3.04]", "[1.2.3.4::]", "[1:2:3:4:5:6:7:8::]",
        "[:1]", "[1:]", "[v.a]", "[v1.]", "[v1]", "[fe80::1%25eth0]",
    ])
    func refuses(authority: String) {
        #expect(throws: RequestError.invalidHost) { try head(host: authority) }
        #expect(RequestTarget("http://\(authority)/", method: .get) == nil)
    }

    /// A client that has no authority to name sends an empty field (RFC 9112 section 3.2), a URI without one is invalid
    /// (RFC 9110 section 4.2.1).
    @Test func anEmptyHostIsForTheFieldOnly() throws {
        #expect(try head(host: "") != nil)
        #expect(RequestTarget("http:///", method: .get) == nil)
    }
}
