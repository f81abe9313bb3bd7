import Glibc
import HTTPServer
import HTTPWire

/// A server with a tiny route and one that reads uploads, for `make bench-http`; prints its port.
@main
enum HTTPBench {
    static func main() async throws {
        var configuration = ServerConfiguration(addresses: [SocketAddress(host: "127.0.0.1", port: 0)])
        configuration.serverName = "bench"
        let small = Array("Hello, world!".utf8)
        let router = try Router([
            .immediate(.get, "/small", name: "small") { _ in
                Response(contentType: "application/octet-stream", bytes: small)
            },
            Route(.post, "/upload", name: "upload") { request in
                var count = 0
                for try await bytes in request.body {
                    count += bytes.count
                }
                return .text("\(count)")
            },
            Route(.post, "/collect", name: "collect") { request in
                .text("\(try await request.body.collect(upTo: 32 * 1024 * 1024).count)")
            },
        ])
        let server = HTTPServer(configuration: configuration, router: router)
        let addresses = try await server.start()
        print(addresses[0].port)
        fflush(nil)
        // Until the benchmark ends it.
        let (never, continuation) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        continuation.finish()
    }
}
