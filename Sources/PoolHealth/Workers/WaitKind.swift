import CPoolHealth

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

extension WaitKind {
    /// What the system call with this number waits for.
    init(systemCall number: Int) {
        switch cpoolhealth_wait_of(number) {
        case CPOOLHEALTH_WAIT_FUTEX: self = .futex
        case CPOOLHEALTH_WAIT_SLEEP: self = .sleep
        case CPOOLHEALTH_WAIT_POLL: self = .poll
        case CPOOLHEALTH_WAIT_READ: self = .read
        case CPOOLHEALTH_WAIT_DISK: self = .disk
        case CPOOLHEALTH_WAIT_CONNECT: self = .connect
        case CPOOLHEALTH_WAIT_CHILD: self = .wait4
        default: self = .other
        }
    }
}
