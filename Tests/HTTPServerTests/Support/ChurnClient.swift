import Dispatch
import Glibc
import HTTPServer
import TestSupport

/// Opens connections, sends the beginning of something, and drops them, on blocking sockets and on threads of its own.
enum ChurnClient {
    /// What a client does before it goes.
    enum Stage: CaseIterable {
        case connect
        case header
        case malformed
        case handler
        case bodyOfKnownLength
        case chunkedBody
        case response
        case betweenRequests
    }

    /// Does it `count` times, the same in every run with the same seed but for how threads interleave.
    /// - Returns: How many connections could be made.
    static func run(_ count: Int, on address: SocketAddress, seed: UInt64) async -> Int {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "churn").async {
                let workers = 2
                let made = UnsafeMutableBufferPointer<Int>.allocate(capacity: workers)
                made.initialize(repeating: 0)
                // Every worker writes to an element of its own, and they are read when all have ended.
                nonisolated(unsafe) let results = made
                DispatchQueue.concurrentPerform(iterations: workers) { worker in
                    var generator = SeededGenerator(seed: seed &+ UInt64(worker))
                    for _ in 0..<count / workers where connectAndDrop(address, &generator) {
                        results[worker] += 1
                    }
                }
                let total = made.reduce(0, +)
                made.deallocate()
                continuation.resume(returning: total)
            }
        }
    }

    private static func connectAndDrop(_ address: SocketAddress, _ generator: inout SeededGenerator) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(address.port).bigEndian
        inet_pton(AF_INET, address.host, &name.sin_addr)
        let result = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { return false }

        let stage = Stage.allCases.randomElement(using: &generator) ?? .connect
        let bytes = Array(beginning(of: stage).utf8)
        let sent = stage == .header ? Int.random(in: 1..<bytes.count, using: &generator) : bytes.count
        _ = send(descriptor, bytes, sent, Int32(MSG_NOSIGNAL))
        if stage == .response || stage == .betweenRequests || stage == .malformed {
            var buffer = [UInt8](repeating: 0, count: Int.random(in: 1...20_000, using: &generator))
            _ = recv(descriptor, &buffer, buffer.count, 0)
        }
        if Bool.random(using: &generator) {
            var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        }
        return true
    }

    private static func beginning(of stage: Stage) -> String {
        switch stage {
        case .connect: ""
        case .header: request("GET", "/hello", "X-Field: value")
        case .malformed: "broken\r\n\r\nand more"
        case .handler: request("GET", "/wait") + request("GET", "/hello")
        case .bodyOfKnownLength: request("POST", "/echo", "Content-Length: 100000", body: "abc")
        case .chunkedBody: request("POST", "/echo", "Transfer-Encoding: chunked", body: "ff\r\nabc")
        case .response: request("GET", "/endless")
        case .betweenRequests: request("GET", "/hello")
        }
    }
}
