import CLinux
import Glibc

/// The file that a Unix-domain listener is reached by.
struct UnixSocketFile: Sendable {
    let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Binds a socket to a path. A socket file that nobody listens on, left behind by a server that was killed, is
    /// replaced; anything else at the path is an error. Of two servers that start on one path at the same moment the
    /// last one has it.
    /// - Parameter mode: The file's permission bits, whatever the umask says. It never has more, not even for a moment.
    init(binding descriptor: Int32, to path: String, mode: mode_t) throws(ListenError) {
        let listenAddress = SocketAddress.unix(path: path)
        var name = sockaddr_un()
        let length = clinux_unix_address(path, &name)
        guard length > 0 else {
            throw ListenError(listenAddress, "bind", errorNumber: path.isEmpty ? EINVAL : ENAMETOOLONG)
        }
        try Self.makeWay(for: listenAddress, path)

        // Linux takes the new file's mode from the socket; without this, others could connect before chmod.
        fchmod(descriptor, mode)
        guard Self.withSocketAddress(&name, { bind(descriptor, $0, length) }) == 0 else {
            throw ListenError(listenAddress, "bind", errorNumber: errno)
        }
        var status = stat()
        guard chmod(path, mode) == 0, lstat(path, &status) == 0 else {
            let error = errno
            unlink(path)
            throw ListenError(listenAddress, "chmod", errorNumber: error)
        }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    /// Removes the file, unless another one has taken its place.
    func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        unlink(path)
    }

    private static func makeWay(for address: SocketAddress, _ path: String) throws(ListenError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ListenError(address, "bind", reason: "there is a file that is not a socket")
        }
        switch connectionError(path) {
        case ECONNREFUSED: unlink(path)
        // A queue that is full means that somebody has it.
        case 0, EAGAIN: throw ListenError(address, "bind", errorNumber: EADDRINUSE)
        case let error: throw ListenError(address, "bind", errorNumber: error)
        }
    }

    /// What a client would get at this path: 0 or an error number. Doesn't wait.
    private static func connectionError(_ path: String) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var name = sockaddr_un()
        let length = clinux_unix_address(path, &name)
        return withSocketAddress(&name) { connect(descriptor, $0, length) } == 0 ? 0 : errno
    }

    private static func withSocketAddress(
        _ name: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
