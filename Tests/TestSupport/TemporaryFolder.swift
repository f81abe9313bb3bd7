import Foundation

/// A folder that goes when the test does.
public final class TemporaryFolder: Sendable {
    public let url = FileManager.default.temporaryDirectory.appending(path: "embedd-test-\(UUID().uuidString)")

    public init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    public func file(_ name: String) -> URL { url.appending(path: name) }

    public func write(_ name: String, _ data: Data) throws -> URL {
        try data.write(to: file(name))
        return file(name)
    }
}
