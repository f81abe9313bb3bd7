import CLinux
import Glibc
import HTTPServer

/// Asks a running service whether it is ready: for a container's health check, where no curl is installed.
public struct HealthProbe: Sendable {
    /// Why the service is not known to be ready.
    public struct Failure: Error, CustomStringConvertible {
        /// One line for the person who looks at the health check's log.
        public let description: String
    }

    /// Less than a container runtime gives the health check, so that the reason is still told.
    private static let timeoutSeconds = 3

    private let address: SocketAddress

    /// A probe of the service that has this configuration. An address that means "any" is asked on loopback.
    public init(_ configuration: Configuration) {
        address =
            switch configuration.server.address {
            case .internet("0.0.0.0", let port): .internet(host: "127.0.0.1", port: port)
            case .internet("::", let port): .internet(host: "::1", port: port)
            case let address: address
            }
    }

    /// Returns if `GET /readyz` is answered with 200. Blocks for at most a few seconds.
    public func run() throws(Failure) {
        let descriptor = try connected()
        defer { close(descriptor) }
        let request = Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw failure("send", errno)
        }
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &answer, answer.count, 0)
        guard count >= 0 else { throw failure("receive", errno) }
        guard count > 0 else { throw Failure(description: "\(address) closed the connection without an answer") }
        let statusLine = String(decoding: answer[..<count].prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard statusLine.split(separator: " ").dropFirst().first == "200" else {
            throw Failure(description: "\(address) is not ready: \(statusLine)")
        }
    }

    private func connected() throws(Failure) -> Int32 {
        switch address {
        case .internet(let host, let port):
            try connected(host, port)
        case .unix(let path):
            try connected(path)
        }
    }

    private func connected(_ host: String, _ port: Int) throws(Failure) -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, "\(port)", &hints, &found)
        guard status == 0, let first = found?.pointee else {
            throw Failure(description: "\(address): \(String(cString: gai_strerror(status)))")
        }
        defer { freeaddrinfo(found) }
        return try connected(first.ai_family, first.ai_addr, first.ai_addrlen)
    }

    private func connected(_ path: String) throws(Failure) -> Int32 {
        var name = sockaddr_un()
        let length = clinux_unix_address(path, &name)
        guard length > 0 else { throw failure("connect", ENAMETOOLONG) }
        return try withUnsafePointer(to: &name) { pointer throws(Failure) in
            // The same bytes under the type that connect(2) wants.
            try connected(AF_UNIX, UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), length)
        }
    }

    private func connected(
        _ family: Int32, _ name: UnsafePointer<sockaddr>, _ length: socklen_t
    ) throws(Failure) -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw failure("socket", errno) }
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(descriptor, name, length) == 0 else {
            let error = errno
            close(descriptor)
            throw failure("connect", error)
        }
        return descriptor
    }

    private func failure(_ operation: String, _ error: Int32) -> Failure {
        Failure(description: "\(address): \(operation): \(String(cString: strerror(error)))")
    }
}
