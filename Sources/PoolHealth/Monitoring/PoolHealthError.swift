import Glibc
import Threads

/// Why the monitor or the admin listener can't start.
public enum PoolHealthError: Error, Equatable, CustomStringConvertible {
    /// The system gives no thread.
    case noThread(ThreadStartError)
    /// The process has no descriptor left (`EMFILE`), or the system none (`ENFILE`).
    case noDescriptor(code: Int32)
    /// The admin listener's address is none: an IP address is needed, not a name.
    case invalidAddress(String)
    /// The admin listener can't have its address: taken, not allowed, not this machine's.
    case cannotListen(address: String, port: Int, code: Int32)

    /// The reason in words, with the system's own message.
    public var description: String {
        switch self {
        case .noThread(let error): error.description
        case .noDescriptor(let code): "no descriptor for the monitor: \(String(cString: strerror(code)))"
        case .invalidAddress(let address): "not an IP address: \(address)"
        case .cannotListen(let address, let port, let code):
            "can't listen on \(address) port \(port): \(String(cString: strerror(code)))"
        }
    }
}
