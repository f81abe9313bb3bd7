import Glibc

/// Why the server can't listen on an address.
public struct ListenError: Error, Sendable, CustomStringConvertible {
    /// The address that was asked for.
    public let address: SocketAddress
    /// What failed: `resolve`, `socket`, `bind` or `listen`.
    public let operation: String
    /// The system's explanation.
    public let reason: String

    /// A line for the person who started the server.
    public var description: String { "can't listen on \(address): \(operation): \(reason)" }

    init(_ address: SocketAddress, _ operation: String, reason: String) {
        self.address = address
        self.operation = operation
        self.reason = reason
    }

    init(_ address: SocketAddress, _ operation: String, errorNumber: Int32) {
        self.init(address, operation, reason: String(cString: strerror(errorNumber)))
    }
}
