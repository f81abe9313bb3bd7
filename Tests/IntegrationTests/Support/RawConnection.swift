import Foundation
import Testing

/// A TCP connection that sends what it is told to, and leaves when it is told to.
final class RawConnection {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0, "connect: \(String(cString: strerror(errno)))")
    }

    deinit { close(descriptor) }

    func send(_ data: Data) throws {
        var rest = data
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            try #require(sent > 0, "send: \(String(cString: strerror(errno)))")
            rest = rest.dropFirst(sent)
        }
    }

    /// What has come since the last time: at least a byte.
    func receive() async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [descriptor] in
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count > 0 {
                    continuation.resume(returning: Data(buffer.prefix(count)))
                } else {
                    continuation.resume(throwing: Ended(reason: count == 0 ? "FIN" : String(cString: strerror(errno))))
                }
            }
        }
    }

    /// The other side sends no more.
    struct Ended: Error {
        let reason: String
    }

    /// Closes with a reset (RST) instead of a FIN.
    func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }
}
