import Foundation
import Inference

/// The model that `make setup` exports, and engines of it.
enum TestModel {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let folder = root.appending(path: ".deps/models/efficientnet-lite0").path

    /// One engine for all tests that only infer: compiling takes longer than most of them.
    static let sharedEngine = Result { try engine() }

    static func load() throws -> Model {
        try Model(folder: folder)
    }

    static func engine(_ configuration: InferenceConfiguration = InferenceConfiguration(streams: 2, threads: 2)) throws
        -> InferenceEngine
    {
        try InferenceEngine(model: load(), configuration: configuration)
    }

    /// Runs `body` with a copy of the model's folder that it may change, and removes it afterwards.
    static func withCopy<R>(_ body: (URL) throws -> R) throws -> R {
        try withTemporaryFolder { folder in
            let copy = folder.appending(path: "model")
            try FileManager.default.copyItem(at: URL(filePath: TestModel.folder), to: copy)
            return try body(copy)
        }
    }

    static func withTemporaryFolder<R>(_ body: (URL) throws -> R) throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "embedd-inference-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// A picture of repeatable noise.
    static func picture(_ seed: UInt64, pixelCount: Int = 224 * 224 * 3) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<pixelCount).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }
}
