import Foundation
import Inference
import TestSupport

/// The model that `make setup` exports, and engines of it.
enum TestModel {
    static let folder = dependencies.appending(path: "models/efficientnet-lite0").path

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

    /// A picture of repeatable noise, another one for each seed from 0 to 255.
    static func picture(_ seed: UInt8) -> [UInt8] {
        var picture = noise
        for index in 0..<224 {
            picture[index * 3] = seed
        }
        return picture
    }

    /// Made once, because an unoptimised build takes longer for it than for an inference.
    private static let noise: [UInt8] = {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<224 * 224 * 3).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }()
}
