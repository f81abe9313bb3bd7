import Glibc

/// Why the server can't listen on an address.
public struct ListenError: Error, Sendable, CustomStringConvertible {
    /// The address that was asked for, or the descriptor that was inherited.
    public let place: String
    /// What failed: `resolve`, `socket`, `bind`, `chmod`, `listen`, `adopt`, `fcntl` or `epoll_create1`.
    public let operation: String
    /// The system's explanation.
    public let reason: String

    /// A line for the person who started the server.
    public var description: String { "can't listen on \(place): \(operation): \(reason)" }

    init(_ address: SocketAddress, _ operation: String, reason: String) {
        place = address.description
        self.operation = operation
        self.reason = reason
    }

    init(inherited descriptor: Int32, _ operation: String, reason: String) {
        place = "the inherited descriptor \(descriptor)"
        self.operation = operation
        self.reason = reason
    }

    init(_ address: SocketAddress, _ operation: String, errorNumber: Int32) {
        self.init(address, operation, reason: String(cString: strerror(errorNumber)))
    }
}
