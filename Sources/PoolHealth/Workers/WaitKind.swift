/// What a blocked thread waits for, told from the system call it is in.
public enum WaitKind: String, Sendable, CaseIterable {
    /// A lock, a semaphore, a condition: anything in memory.
    case futex
    /// Time to pass.
    case sleep
    /// One of several descriptors.
    case poll
    /// Bytes from a pipe or a socket, or a connection to accept.
    case read
    /// A disk, or a page that has to be read from one.
    case disk
    /// A connection to be established.
    case connect
    /// A child process to end.
    case wait4
    /// Another system call.
    case other
}
