import FoundationEssentials
import Glibc

/// What the system said when Foundation failed to do something with a file.
enum SystemReason {
    /// `No such file or directory` where the error wraps a system call's, or else the error itself.
    static func text(for error: any Error) -> String {
        guard let system = (error as? CocoaError)?.underlying as? POSIXError else { return "\(error)" }
        return String(cString: strerror(system.code.rawValue))
    }
}
