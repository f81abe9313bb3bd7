import Foundation

/// A folder that goes when the test does.
package final class TemporaryFolder: Sendable {
    package let url = FileManager.default.temporaryDirectory.appending(path: "embedd-test-\(UUID().uuidString)")

    package init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    package func file(_ name: String) -> URL { url.appending(path: name) }

    package func write(_ name: String, _ data: Data) throws -> URL {
        try data.write(to: file(name))
        return file(name)
    }
}
