import Glibc

/// Files of `/proc` and `/sys`, whose size is known only by reading them.
enum SystemFile {
    private static let chunkByteCount = 4_096

    /// The whole content; `nil` if it can't be opened or read.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: chunkByteCount)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return String(decoding: content, as: UTF8.self) }
            content += chunk[..<count]
        }
    }
}
