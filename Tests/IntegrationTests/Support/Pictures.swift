import Foundation
import TestSupport
import Testing

/// The pictures that `make setup` unpacked, and some that are made on the spot.
enum Pictures {
    static let cat = packageRoot.appending(path: "docs/cat.jpg")

    /// A picture of scikit-image's or scikit-learn's wheel.
    static func named(_ name: String) -> URL {
        dependencies.appending(path: "pictures/\(name)")
    }

    /// Every picture of both wheels.
    static func all() throws -> [URL] { try files(in: "pictures") }

    /// Photographs of 8 to 20 megapixels.
    static func photographs() throws -> [URL] { try files(in: "photos") }

    private static func files(in folder: String) throws -> [URL] {
        let files = try FileManager.default.contentsOfDirectory(
            at: dependencies.appending(path: folder), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        try #require(!files.isEmpty, "run scripts/setup test")
        return files.sorted { $0.path < $1.path }
    }

    /// Runs a few lines of Python with Pillow at hand; `path` is where the picture goes.
    static func make(_ name: String, in folder: TemporaryFolder, python: String) async throws -> URL {
        let file = folder.file(name)
        let script = "import sys\nfrom PIL import Image\npath = sys.argv[1]\n" + python
        let result = try await CommandResult.run(
            dependencies.appending(path: "venv/bin/python").path, ["-c", script, file.path])
        try #require(result.exitStatus == 0, "\(result.errorText)")
        return file
    }
}
