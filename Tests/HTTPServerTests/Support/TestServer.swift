import HTTPServer
import HTTPWire

/// A running server with what a test needs to talk to it.
struct TestServer: Sendable {
    let server: HTTPServer
    let addresses: [SocketAddress]
    let recorder: Recorder

    func client(_ index: Int = 0) throws -> RawClient {
        try RawClient(addresses[index])
    }

    /// Sends one request on a connection of its own and reads its response.
    func exchange(_ request: String) async throws -> RawResponse {
        let client = try client()
        try await client.send(request)
        let response = try await client.receiveResponse(toHead: request.hasPrefix("HEAD"))
        try await client.close()
        return response
    }
}

/// Runs a server without time limits for the length of `body`, and stops it whatever happens.
func withServer(
    _ routes: [Route], addresses: [String] = ["127.0.0.1:0"],
    configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: (TestServer) async throws -> Void
) async throws {
    var configuration = ServerConfiguration(addresses: addresses.compactMap { SocketAddress($0) })
    configuration.problemTypePrefix = "https://example.org/problems/"
    // A machine that stands still for seconds is no slow client; tests of a limit set it.
    configuration.timeLimits = limits { _ in }
    configure(&configuration)
    let recorder = Recorder()
    let server = HTTPServer(configuration: configuration, router: try Router(routes), observer: recorder)
    let bound = try await server.start()
    do {
        try await body(TestServer(server: server, addresses: bound, recorder: recorder))
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
    await server.stop(grace: .zero)
}

func request(_ method: String, _ target: String, _ fields: String..., body: String = "") -> String {
    let lines = ["\(method) \(target) HTTP/1.1", "Host: test"] + fields
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}

/// The bytes, so many times; quick without optimisation, too.
func repeated(_ bytes: [UInt8], count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * count)
    for _ in 0..<count {
        result.append(contentsOf: bytes)
    }
    return result
}

/// Answers with the body it got.
let echo = Route(.post, "/echo", name: "echo") { request in
    Response(contentType: "application/octet-stream", bytes: try await request.body.collect(upTo: 64 * 1024 * 1024))
}

/// Answers right on the reactor.
let hello = Route.immediate(.get, "/hello", name: "hello") { _ in .text("hello") }
