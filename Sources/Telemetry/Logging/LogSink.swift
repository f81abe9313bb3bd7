import Glibc

/// Where log lines go.
///
/// Called from the logger's own writer thread only, one call at a time, so that it may block.
public struct LogSink: Sendable {
    /// Takes one or more whole lines, each with its line feed.
    public let write: @Sendable (_ lines: [UInt8]) -> Void

    /// A sink that is a closure.
    public init(write: @escaping @Sendable (_ lines: [UInt8]) -> Void) {
        self.write = write
    }

    /// Nowhere.
    public static let discarding = LogSink { _ in }

    /// An open file descriptor, which the caller keeps open. Waits where it is full, also if it is non-blocking (a
    /// terminal shared with another program may be). What can't be written, because a pipe's reader has left or a disk
    /// is full, is lost: there is nobody left to tell.
    public static func fileDescriptor(_ descriptor: Int32) -> LogSink {
        LogSink { lines in
            var rest = lines[...]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if written >= 0 {
                    rest = rest.dropFirst(written)
                } else if errno == EAGAIN {
                    var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&readiness, 1, -1)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}
