import Glibc

/// Where a server listens, or who a client is.
public enum SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// A host and a port of TCP. The host is a numeric address, or for listening also a name, without brackets; the
    /// port is 0...65535, where 0 lets the kernel choose when listening.
    case internet(host: String, port: Int)
    /// A Unix-domain socket's file. Empty for a client, which has none.
    case unix(path: String)

    /// Makes an address of TCP.
    public init(host: String, port: Int) {
        self = .internet(host: host, port: port)
    }

    /// Reads `127.0.0.1:8080`, `localhost:8080`, `[::1]:8080` or `unix:/run/server.sock`; nil for anything else.
    public init?(_ text: String) {
        if text.hasPrefix("unix:/") {
            self = .unix(path: String(text.dropFirst("unix:".count)))
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: Int(port))
    }

    /// The numeric address or name; `unix` for a Unix-domain socket, whose clients can't be told apart.
    public var host: String {
        switch self {
        case .internet(let host, _): host
        case .unix: "unix"
        }
    }

    /// The port of TCP; 0 for a Unix-domain socket.
    public var port: Int {
        switch self {
        case .internet(_, let port): port
        case .unix: 0
        }
    }

    /// The address as it stands in a URL, IPv6 in brackets; `unix:` and the path of a Unix-domain socket, `unix` for a
    /// client.
    public var description: String {
        switch self {
        case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path.isEmpty ? "unix" : "unix:\(path)"
        }
    }

    /// Reads a kernel address.
    init(_ storage: sockaddr_storage) {
        var storage = storage
        switch storage.ss_family {
        case sa_family_t(AF_UNIX):
            let path = withUnsafeBytes(of: &storage) { bytes in
                bytes.dropFirst(MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }
                    .withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }
            self = .unix(path: path)
        case sa_family_t(AF_INET6):
            self = withUnsafePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    var host = address.pointee.sin6_addr
                    return .internet(
                        host: Self.text(AF_INET6, &host), port: Int(UInt16(bigEndian: address.pointee.sin6_port)))
                }
            }
        default:
            self = withUnsafePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    var host = address.pointee.sin_addr
                    return .internet(
                        host: Self.text(AF_INET, &host), port: Int(UInt16(bigEndian: address.pointee.sin_port)))
                }
            }
        }
    }

    /// The numeric form of an `in_addr` or `in6_addr`.
    private static func text(_ family: Int32, _ host: UnsafeRawPointer) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(family, host, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
