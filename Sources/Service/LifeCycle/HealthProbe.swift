import Glibc

/// Asks a running service whether it is ready: for a container's health check, where no curl is installed.
public struct HealthProbe: Sendable {
    /// Why the service is not known to be ready.
    public struct Failure: Error, CustomStringConvertible {
        /// One line for the person who looks at the health check's log.
        public let description: String
    }

    /// Less than a container runtime gives the health check, so that the reason is still told.
    private static let timeoutSeconds = 3

    private let host: String
    private let port: Int

    /// A probe of the service that has this configuration. An address that means "any" is asked on loopback.
    public init(_ configuration: Configuration) {
        host =
            switch configuration.server.host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: configuration.server.host
            }
        port = configuration.server.port
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
        guard count > 0 else { throw Failure(description: "\(host):\(port) closed the connection without an answer") }
        let statusLine = String(decoding: answer[..<count].prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard statusLine.split(separator: " ").dropFirst().first == "200" else {
            throw Failure(description: "\(host):\(port) is not ready: \(statusLine)")
        }
    }

    private func connected() throws(Failure) -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, "\(port)", &hints, &found)
        guard status == 0, let address = found?.pointee else {
            throw Failure(description: "\(host):\(port): \(String(cString: gai_strerror(status)))")
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard descriptor >= 0 else { throw failure("socket", errno) }
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            let error = errno
            close(descriptor)
            throw failure("connect", error)
        }
        return descriptor
    }

    private func failure(_ operation: String, _ error: Int32) -> Failure {
        Failure(description: "\(host):\(port): \(operation): \(String(cString: strerror(error)))")
    }
}
