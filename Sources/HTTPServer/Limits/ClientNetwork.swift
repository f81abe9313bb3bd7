import Glibc

/// Who counts as one client where something is shared out between clients: an IPv4 address, an IPv6 network of 64 bits
/// (RFC 4291 section 2.5.4; whoever has one address of it has them all), or everybody behind a Unix-domain socket.
struct ClientNetwork: Hashable, Sendable {
    private let prefix: [UInt8]

    private static let networkByteCount = 8
    /// Before an IPv4 address that a socket of both families reports (RFC 4291 section 2.5.5.2).
    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    init(_ address: SocketAddress) {
        guard case .internet(let host, _) = address else {
            prefix = []
            return
        }
        if let bytes = Self.bytes(of: host, AF_INET, count: 4) {
            prefix = bytes
        } else if let bytes = Self.bytes(of: host, AF_INET6, count: 16) {
            prefix =
                bytes.starts(with: Self.mappedPrefix)
                ? Array(bytes.suffix(4)) : Array(bytes.prefix(Self.networkByteCount))
        } else {
            prefix = Array(host.utf8)
        }
    }

    private static func bytes(of host: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, host, &bytes) == 1 ? bytes : nil
    }
}
