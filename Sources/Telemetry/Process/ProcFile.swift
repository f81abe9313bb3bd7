import Glibc

/// A small file of `/proc`, opened once and read afresh each time: so a scrape also works when the process has no
/// descriptor left, which is when somebody wants to see its metrics.
final class ProcFile: Sendable {
    /// More than any line read here has.
    private static let maximumBytes = 4096

    /// Owned: open from `init` to `deinit`.
    private let descriptor: Int32

    /// Nil if the file can't be opened, for example where `/proc` is not mounted.
    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The present content, or nil if it can't be read. The kernel makes it up on each read from the start; no disk is
    /// involved.
    func read() -> String? {
        withUnsafeTemporaryAllocation(byteCount: Self.maximumBytes, alignment: 1) { buffer in
            let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
        }
    }
}
