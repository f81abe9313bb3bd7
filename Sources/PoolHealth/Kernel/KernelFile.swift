import Glibc

/// A file of `/proc` or `/sys`, opened once and read afresh each time, which costs about a microsecond. Nothing is
/// allocated for a reading.
final class KernelFile: Sendable {
    /// More than any file has that is read this way; what lies beyond is not seen.
    private static let maximumBytes = 4_096

    /// Owned: open from `init` to `deinit`.
    private let descriptor: Int32

    /// `nil` if it can't be opened: not there, or not allowed.
    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// What `body` makes of the present content; `nil` if it can't be read, for a thread's file because it has ended.
    func read<Result>(_ body: (Span<UInt8>) -> Result?) -> Result? {
        withUnsafeTemporaryAllocation(byteCount: Self.maximumBytes, alignment: 1) { buffer in
            let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { return nil }
            return body(buffer[..<count].withMemoryRebound(to: UInt8.self) { $0 }.span)
        }
    }

    /// The whole of a small file as text.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: maximumBytes)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { return nil }
            guard count > 0 else { return String(decoding: content, as: UTF8.self) }
            content += chunk[..<count]
        }
    }
}
