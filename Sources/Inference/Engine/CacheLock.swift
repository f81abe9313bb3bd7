import Glibc

/// The right to use a folder of compiled networks, which one process has at a time.
///
/// OpenVINO writes a compiled network straight into its file and maps what it finds there: a process that starts while
/// another one writes maps half a file, and the kernel ends it with SIGBUS at the first page that isn't there.
///
/// A lock of flock(2): the kernel gives it back when the process ends, however that happens.
enum CacheLock {
    private static let fileName = ".lock"
    private static let pollMilliseconds: Int32 = 5

    /// Waits until no other process has the folder, and runs `body` while none can have it. Blocks.
    ///
    /// - Parameter patience: How long to wait.
    /// - Returns: nil if the folder can't be had; `body` was not run then.
    static func hold<Result>(
        _ folder: String, patience: Duration, _ body: () throws(InferenceError) -> Result
    ) throws(InferenceError) -> Result? {
        let descriptor = open("\(folder)/\(fileName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
        // Closing gives the lock back.
        defer { close(descriptor) }
        let end = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else { return nil }
            poll(nil, 0, pollMilliseconds)
        }
        return try body()
    }
}
