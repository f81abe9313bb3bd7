import Glibc

/// The system refused to start a thread, usually since a limit on processes (`ulimit -u`, the container's `pids.max`)
/// is reached.
public struct ThreadStartError: Error, Equatable, CustomStringConvertible {
    /// What the thread would have been called.
    public let threadName: String
    /// The error number of `pthread_create(3)`, such as `EAGAIN`.
    public let code: Int32

    /// The refusal in words, with the system's own message.
    public var description: String {
        "can't start the thread \(threadName): \(String(cString: strerror(code)))"
    }
}
