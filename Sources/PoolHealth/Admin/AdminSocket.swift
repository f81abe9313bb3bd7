import CLinux
import Glibc

/// Opens the admin listener's socket.
enum AdminSocket {
    /// A non-blocking socket that listens, and the port that it got.
    static func listen(host: String, port: Int, backlog: Int32) throws(PoolHealthError) -> (
        descriptor: Int32, port: Int
    ) {
        guard var address = address(host: host, port: port) else { throw .invalidAddress(host) }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(Int32(address.storage.ss_family), type, 0)
        guard descriptor >= 0 else { throw .noDescriptor(code: errno) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let bound = withUnsafePointer(to: &address.storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, address.length) }
        }
        guard bound == 0, Glibc.listen(descriptor, backlog) == 0 else {
            let code = errno
            close(descriptor)
            throw .cannotListen(address: host, port: port, code: code)
        }
        return (descriptor, boundPort(descriptor) ?? port)
    }

    private static func address(host: String, port: Int) -> (storage: sockaddr_storage, length: socklen_t)? {
        guard let port = UInt16(exactly: port) else { return nil }
        var storage = sockaddr_storage()
        var version4 = sockaddr_in()
        if inet_pton(AF_INET, host, &version4.sin_addr) == 1 {
            version4.sin_family = sa_family_t(AF_INET)
            version4.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { target in
                withUnsafeBytes(of: version4) { target.copyMemory(from: $0) }
            }
            return (storage, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        var version6 = sockaddr_in6()
        guard inet_pton(AF_INET6, host, &version6.sin6_addr) == 1 else { return nil }
        version6.sin6_family = sa_family_t(AF_INET6)
        version6.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &storage) { target in
            withUnsafeBytes(of: version6) { target.copyMemory(from: $0) }
        }
        return (storage, socklen_t(MemoryLayout<sockaddr_in6>.size))
    }

    private static func boundPort(_ descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        // The port is at the same place in both versions.
        return withUnsafeBytes(of: storage) { Int(UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))) }
    }
}
