import Testing

@testable import HTTPServer

@Suite struct ClientNetworkTests {
    private func network(_ host: String, port: Int = 1) -> ClientNetwork {
        ClientNetwork(SocketAddress(host: host, port: port))
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("192.0.2.1", "::ffff:192.0.2.1"), ("2001:db8::1", "2001:db8::ffff:0:0:2"),
    ])
    func isTheSameForOneClient(one: String, other: String) {
        #expect(network(one, port: 1) == network(other, port: 2))
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.2"), ("::ffff:192.0.2.1", "::ffff:192.0.2.2"), ("2001:db8::1", "2001:db8:0:1::1"),
        ("::ffff:192.0.2.1", "::1"),
    ])
    func isAnotherForAnotherClient(one: String, other: String) {
        #expect(network(one) != network(other))
    }

    @Test func isOneBehindAUnixDomainSocket() {
        let unix = ClientNetwork(.unix(path: ""))
        #expect(unix == ClientNetwork(.unix(path: "")))
        #expect(unix != network("127.0.0.1"))
    }
}
