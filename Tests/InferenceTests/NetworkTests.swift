import Foundation
import Inference
import TestSupport
import Testing

/// Networks and caches that are not as they should be.
struct NetworkTests {
    @Test func explainsAFileThatIsNoNetwork() throws {
        try TestModel.withCopy { folder in
            try Data("not a network".utf8).write(to: folder.appending(path: "model.onnx"))
            let error = try failure(folder)
            guard case .runtime(let operation, _, let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(operation.contains("model.onnx"))
            #expect(!reason.isEmpty)
        }
    }

    @Test func refusesANetworkThatDoesNotFitItsCard() throws {
        #expect(
            try failure(changing: "\"width\": 224", to: "\"width\": 192")
                == .inputShape(expected: [1, 3, 224, 192], found: [1, 3, 224, 224]))
        #expect(try failure(changing: "1280", to: "1000") == .outputSize(expected: 1000, found: 1280))
        guard case .runtime(let operation, _, _) = try failure(changing: "\"embedding\"", to: "\"logits\"") else {
            Issue.record("an unknown output was accepted")
            return
        }
        #expect(operation == "find the output \"logits\"")
    }

    @Test func takesACompiledNetworkFromTheCache() throws {
        try TestModel.withTemporaryFolder { folder in
            let cache = folder.appending(path: "made/on/the/way").path
            let configuration = InferenceConfiguration(streams: 1, threads: 1, cacheDirectory: cache)
            let first = try TestModel.engine(configuration)
            #expect(!first.isFromCache)
            let second = try TestModel.engine(configuration)
            #expect(second.isFromCache)
            #expect(second.cacheProblem == nil)
            let picture = TestModel.picture(5)
            #expect(try first.inferBlocking(picture) == second.inferBlocking(picture))
        }
    }

    @Test func compilesAnewWhenTheCacheIsBroken() throws {
        try TestModel.withTemporaryFolder { folder in
            let configuration = InferenceConfiguration(streams: 1, threads: 1, cacheDirectory: folder.path)
            let picture = TestModel.picture(5)
            let expected = try TestModel.engine(configuration).inferBlocking(picture)
            let entries = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            let entry = try #require(entries.first)
            let content = try Data(contentsOf: entry)
            for broken in [Data(), content.prefix(100), content.prefix(content.count / 2)] {
                try FileManager.default.removeItem(at: entry)
                try broken.write(to: entry)
                #expect(try TestModel.engine(configuration).inferBlocking(picture) == expected)
            }
        }
    }

    @Test func worksWithoutACacheThatCanNotBeUsed() throws {
        try TestModel.withTemporaryFolder { folder in
            let file = folder.appending(path: "file")
            try Data().write(to: file)
            let engine = try TestModel.engine(
                InferenceConfiguration(streams: 1, threads: 1, cacheDirectory: file.appending(path: "cache").path))
            #expect(!engine.isFromCache)
            #expect(try #require(engine.cacheProblem).contains("file/cache"))
            #expect(try engine.inferBlocking(TestModel.picture(1)).count == 1280)
        }
    }

    private func failure(changing part: String, to replacement: String) throws -> InferenceError {
        try TestModel.withCopy { folder in
            let path = folder.appending(path: "card.json")
            let card = try String(contentsOf: path, encoding: .utf8)
            try #require(card.contains(part))
            try card.replacing(part, with: replacement, maxReplacements: 1).write(
                to: path, atomically: true, encoding: .utf8)
            return try failure(folder)
        }
    }

    private func failure(_ folder: URL) throws -> InferenceError {
        let model = try Model(folder: folder.path)
        return try #require(
            throws: InferenceError.self,
            performing: {
                try InferenceEngine(model: model, configuration: InferenceConfiguration(streams: 1, threads: 1))
            })
    }
}
