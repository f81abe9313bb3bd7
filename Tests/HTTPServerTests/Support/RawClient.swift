import CLinux
import Dispatch
import Glibc
import HTTPServer

/// A client that speaks raw bytes over a blocking socket. Its calls run on a queue of its own, so that a test that
/// waits holds no thread of the pool that the handlers need.
final class RawClient: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A hang guard, far beyond what any test needs.
    private static let timeoutSeconds = 60

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw client")

    init(_ address: SocketAddress) throws {
        let isIPv6 = address.host.contains(":")
        let family =
            switch address {
            case .unix: AF_UNIX
            case .internet: isIPv6 ? AF_INET6 : AF_INET
            }
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let result: Int32
        if case .unix(let path) = address {
            var name = sockaddr_un()
            _ = clinux_unix_address(path, &name)
            result = Self.connect(descriptor, name)
        } else if isIPv6 {
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = in_port_t(address.port).bigEndian
            inet_pton(AF_INET6, address.host, &name.sin6_addr)
            result = Self.connect(descriptor, name)
        } else {
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = in_port_t(address.port).bigEndian
            inet_pton(AF_INET, address.host, &name.sin_addr)
            result = Self.connect(descriptor, name)
        }
        guard result == 0 else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            throw Failure(description: "connect: \(reason)")
        }
    }

    func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await run { descriptor in
            var offset = 0
            while offset < bytes.count {
                let count = bytes[offset...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(description: "send: \(String(cString: strerror(errno)))") }
                offset += count
            }
        }
    }

    /// Sends until the socket has taken nothing for so long, or all is sent; tells how much went out.
    func sendUntilStuck(_ bytes: [UInt8], patienceMilliseconds: Int32) async throws -> Int {
        try await run { descriptor in
            var offset = 0
            while offset < bytes.count {
                var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&state, 1, patienceMilliseconds) > 0 else { return offset }
                let count = bytes[offset...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                }
                if count > 0 {
                    offset += count
                } else if errno != EAGAIN {
                    throw Failure(description: "send: \(String(cString: strerror(errno)))")
                }
            }
            return offset
        }
    }

    /// Waits until the other side's kernel has all that was sent.
    func waitUntilDelivered() async throws {
        try await run { descriptor in
            for _ in 0..<Self.timeoutSeconds * 1000 {
                if clinux_send_queue_bytes(descriptor) == 0 { return }
                poll(nil, 0, 1)
            }
            throw Failure(description: "not acknowledged")
        }
    }

    /// Reads exactly so many bytes.
    func receive(_ count: Int) async throws -> [UInt8] {
        try await run { try Self.read($0, exactly: count) }
    }

    /// Reads up to and with the empty line.
    func receiveHead() async throws -> String {
        try await run { try Self.readHead($0) }
    }

    /// Reads a response whose length is told, or that is chunked.
    /// - Parameter toHead: The request was HEAD: no content follows.
    func receiveResponse(toHead: Bool = false) async throws -> RawResponse {
        try await run { descriptor in
            var response = RawResponse(head: try Self.readHead(descriptor))
            guard !toHead else { return response }
            if let length = response["content-length"].flatMap({ Int($0) }) {
                response.body = try Self.read(descriptor, exactly: length)
            } else if response["transfer-encoding"] == "chunked" {
                while true {
                    let size = try Self.readLine(descriptor)
                    guard let count = Int(size, radix: 16) else { throw Failure(description: "chunk size \(size)") }
                    response.body += try Self.read(descriptor, exactly: count)
                    guard try Self.readLine(descriptor).isEmpty else { throw Failure(description: "chunk end") }
                    if count == 0 { break }
                }
            }
            return response
        }
    }

    /// Reads until what has come ends with the suffix.
    func receive(untilSuffix suffix: [UInt8]) async throws -> [UInt8] {
        try await run { descriptor in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while bytes.suffix(suffix.count) != suffix[...] {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { throw Failure(description: "recv: \(count)") }
                bytes += buffer[..<count]
            }
            return bytes
        }
    }

    /// Reads until the server's FIN; nil when the connection was reset.
    func receiveToEnd() async throws -> [UInt8]? {
        try await run { descriptor in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count == 0 { return bytes }
                if count < 0, errno == ECONNRESET { return nil }
                guard count > 0 else { throw Failure(description: "recv: \(String(cString: strerror(errno)))") }
                bytes += buffer[..<count]
            }
        }
    }

    func finishSending() async throws {
        try await run { _ = shutdown($0, Int32(SHUT_WR)) }
    }

    /// Closes with a FIN, or with an RST.
    func close(reset: Bool = false) async throws {
        try await run { descriptor in
            if reset {
                var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            }
            Glibc.close(descriptor)
        }
    }

    private func run<Result: Sendable>(_ work: @escaping @Sendable (Int32) throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [descriptor] in
                continuation.resume(with: Swift.Result { try work(descriptor) })
            }
        }
    }

    private static func connect<Name>(_ descriptor: Int32, _ name: Name) -> Int32 {
        withUnsafePointer(to: name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
            }
        }
    }

    private static func readHead(_ descriptor: Int32) throws -> String {
        var text = ""
        while !text.hasSuffix("\r\n\r\n") {
            text += try readLine(descriptor) + "\r\n"
        }
        return text
    }

    private static func readLine(_ descriptor: Int32) throws -> String {
        var line: [UInt8] = []
        while line.suffix(2) != [13, 10] {
            line += try read(descriptor, exactly: 1)
        }
        return String(decoding: line.dropLast(2), as: UTF8.self)
    }

    private static func read(_ descriptor: Int32, exactly count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var offset = 0
        while offset < count {
            let got = bytes[offset...].withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard got > 0 else {
                let reason = got == 0 ? "end of stream" : String(cString: strerror(errno))
                throw Failure(description: "recv: \(reason) after \(offset) of \(count) bytes")
            }
            offset += got
        }
        return bytes
    }
}
