import Glibc
import Threads

/// A server that everybody has: it answers, but only after a second. On threads of its own.
final class SlowServer: Sendable {
    private static let delay: useconds_t = 1_000_000

    let port: Int

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard Loopback.withAddress(port: 0, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw NoServer(code: errno)
        }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        try OwnThread.start(name: "slow-server") {
            while true {
                let client = accept(listener, nil, nil)
                try? OwnThread.start(name: "slow-client") { Self.serve(client) }
            }
        }
    }

    private static func serve(_ client: Int32) {
        usleep(delay)
        Loopback.send("an answer", to: client)
        close(client)
    }

    struct NoServer: Error {
        let code: Int32
    }
}
