import CLinux
import Foundation

/// Asks the admin listener over a plain socket, and knows how long it took.
struct AdminClient: Sendable {
    struct Answer: Sendable {
        let status: Int
        let body: String
        let elapsed: Duration
    }

    struct Failure: Error {
        let step: String
        let code: Int32
    }

    /// A guard against a hang, not a tolerance.
    private static let timeoutSeconds = 60

    let port: Int

    func get(_ path: String) async throws -> Answer { try await onOwnThread { try ask("GET", path) } }

    func post(_ path: String) async throws -> Answer { try await onOwnThread { try ask("POST", path) } }

    /// A socket that blocks has no place on the pool.
    private func onOwnThread(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    private func ask(_ method: String, _ path: String) throws -> Answer {
        let began = ContinuousClock.now
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(step: "socket", code: errno) }
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(step: "connect", code: errno) }
        let request = Array("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw Failure(step: "send", code: errno)
        }
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count >= 0 else { throw Failure(step: "receive", code: errno) }
            guard count > 0 else { break }
            received += chunk[..<count]
        }
        let text = String(decoding: received, as: UTF8.self)
        guard let split = text.firstRange(of: "\r\n\r\n"), let status = Int(text.dropFirst(9).prefix(3)) else {
            throw Failure(step: "parse", code: 0)
        }
        return Answer(status: status, body: String(text[split.upperBound...]), elapsed: .now - began)
    }
}
