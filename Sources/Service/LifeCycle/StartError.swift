import Glibc

/// Why the service doesn't start, beside what its rooms throw.
enum StartError: Error, CustomStringConvertible {
    /// libvips can't be initialised.
    case libvipsUnusable
    /// The kernel doesn't tell the process about its own threads.
    case noThreadFiles

    /// Dispatch (Swift 6.3) reads `/proc/self/task/<thread>/stat` each second while blocks or tasks wait for a thread,
    /// and ends the process with SIGILL if it can't: better none at all than one that the first load ends.
    static func requireThreadFiles() throws(StartError) {
        guard access("/proc/self/task/\(getpid())/stat", R_OK) == 0 else { throw .noThreadFiles }
    }

    var description: String {
        switch self {
        case .libvipsUnusable:
            "libvips can't be started; repair its installation, or set decode.formats to [\"jpeg\"]"
        case .noThreadFiles:
            "/proc/self/task can't be read, and without it Swift's runtime ends a process that has work; mount /proc"
        }
    }
}
