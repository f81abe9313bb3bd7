import Glibc

/// A socket that listens, not blocking: opened by this process or inherited.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    /// The address, with the port that the kernel chose.
    let address: SocketAddress
    /// The file that has to go when the listener does.
    let file: UnixSocketFile?
    /// Another process made it, and may listen on it after this one.
    var isInherited = false

    /// Opens a socket.
    static func open(
        _ address: SocketAddress, _ configuration: ServerConfiguration
    ) throws(ListenError) -> ListeningSocket {
        switch address {
        case .internet(let host, let port): try openInternet(address, host, port, configuration)
        case .unix(let path): try openUnix(address, path, configuration)
        }
    }

    /// Takes over a socket that another process, like systemd, has made to listen. Its file isn't ours to remove.
    static func adopt(_ descriptor: Int32) throws(ListenError) -> ListeningSocket {
        guard option(descriptor, SO_TYPE) == Int32(SOCK_STREAM.rawValue), option(descriptor, SO_ACCEPTCONN) == 1 else {
            throw ListenError(inherited: descriptor, "adopt", reason: "not a stream socket that listens")
        }
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw ListenError(inherited: descriptor, "fcntl", reason: String(cString: strerror(errno))) }
        return ListeningSocket(
            descriptor: descriptor, address: Socket.boundAddress(descriptor), file: nil, isInherited: true)
    }

    private static func openInternet(
        _ address: SocketAddress, _ host: String, _ port: Int, _ configuration: ServerConfiguration
    ) throws(ListenError) -> ListeningSocket {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var results: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &results)
        guard failure == 0, let first = results?.pointee else {
            throw ListenError(address, "resolve", reason: String(cString: gai_strerror(failure)))
        }
        defer { freeaddrinfo(results) }
        return try opened(address, family: first.ai_family) { descriptor throws(ListenError) in
            // A restart must not wait for the old connections' TIME_WAIT.
            Socket.setOption(descriptor, SOL_SOCKET, SO_REUSEADDR)
            if configuration.sharesPort {
                Socket.setOption(descriptor, SOL_SOCKET, SO_REUSEPORT)
            }
            if first.ai_family == AF_INET6 {
                // Each configured address is exactly what is bound: `::` and `0.0.0.0` can stand side by side.
                Socket.setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY)
            }
            guard bind(descriptor, first.ai_addr, first.ai_addrlen) == 0 else {
                throw ListenError(address, "bind", errorNumber: errno)
            }
            guard listen(descriptor, configuration.listenBacklog) == 0 else {
                throw ListenError(address, "listen", errorNumber: errno)
            }
            return ListeningSocket(descriptor: descriptor, address: Socket.boundAddress(descriptor), file: nil)
        }
    }

    private static func openUnix(
        _ address: SocketAddress, _ path: String, _ configuration: ServerConfiguration
    ) throws(ListenError) -> ListeningSocket {
        try opened(address, family: AF_UNIX) { descriptor throws(ListenError) in
            let file = try UnixSocketFile(binding: descriptor, to: path, mode: configuration.unixSocketMode)
            guard listen(descriptor, configuration.listenBacklog) == 0 else {
                let error = errno
                file.remove()
                throw ListenError(address, "listen", errorNumber: error)
            }
            return ListeningSocket(descriptor: descriptor, address: address, file: file)
        }
    }

    /// Makes a socket and lets `body` bind it; closed when that fails.
    private static func opened(
        _ address: SocketAddress, family: Int32, _ body: (Int32) throws(ListenError) -> ListeningSocket
    ) throws(ListenError) -> ListeningSocket {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw ListenError(address, "socket", errorNumber: errno) }
        do throws(ListenError) {
            return try body(descriptor)
        } catch {
            Socket.close(descriptor)
            throw error
        }
    }

    private static func option(_ descriptor: Int32, _ name: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
