import Glibc
import HTTPServer
import HTTPWire
import Testing

@Suite(.timeLimit(.minutes(2))) struct SharedListenerTests {
    @Test func twoServersMayShareAPort() async throws {
        try await withServer([hello], configure: { $0.sharesPort = true }) { first in
            var configuration = ServerConfiguration(addresses: first.addresses)
            configuration.sharesPort = true
            let second = HTTPServer(configuration: configuration, router: try Router([hello]))
            #expect(try await second.start() == first.addresses)
            for _ in 0..<8 {
                let response = try await first.exchange(request("GET", "/hello"))
                #expect(response.text == "hello")
            }
            await second.stop(grace: .zero)
        }
    }

    @Test func takesOverASocketThatListensAlready() async throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let isBound = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        #expect(isBound && listen(descriptor, 8) == 0)
        try await withServer([hello], addresses: [], configure: { $0.inheritedDescriptors = [descriptor] }) { test in
            #expect(test.addresses.map(\.host) == ["127.0.0.1"])
            #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
            let response = try await test.exchange(request("GET", "/hello"))
            #expect(response.text == "hello")
        }
    }

    @Test func refusesADescriptorThatDoesNotListen() async throws {
        let descriptors = [socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), open("/dev/null", O_RDONLY)]
        defer { descriptors.forEach { close($0) } }
        for descriptor in descriptors {
            var configuration = ServerConfiguration(addresses: [])
            configuration.inheritedDescriptors = [descriptor]
            let server = HTTPServer(configuration: configuration, router: try Router([hello]))
            let error = await #expect(throws: ListenError.self) { _ = try await server.start() }
            #expect(error?.operation == "adopt")
        }
    }

    @Test func readsTheVariablesOfSocketActivation() throws {
        let read = { (environment: [String: String]) in
            try SocketActivation.descriptors(environment: environment, processID: 42)
        }
        #expect(try read(["LISTEN_PID": "42", "LISTEN_FDS": "2"]) == [3, 4])
        #expect(try read(["LISTEN_PID": "42", "LISTEN_FDS": "0"]) == [])
        #expect(try read(["LISTEN_PID": "41", "LISTEN_FDS": "2"]) == [])
        #expect(try read(["LISTEN_FDS": "2"]) == [])
        #expect(try read([:]) == [])
        for (process, count) in [("x", "1"), ("42", "x"), ("42", "-1"), ("42", "99999"), ("42", "")] {
            #expect(throws: SocketActivation.Failure.self) { try read(["LISTEN_PID": process, "LISTEN_FDS": count]) }
        }
    }
}
