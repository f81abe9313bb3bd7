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

    enum Damage: CaseIterable {
        case empty, cutShort, half, changedInTheMiddle, unsealed
    }

    /// With a hole in its middle OpenVINO would take it, and compute other vectors.
    @Test(arguments: Damage.allCases)
    func compilesAnewWhenTheCacheIsBroken(_ damage: Damage) throws {
        try TestModel.withTemporaryFolder { folder in
            let configuration = InferenceConfiguration(streams: 1, threads: 1, cacheDirectory: folder.path)
            let picture = TestModel.picture(5)
            let expected = try TestModel.engine(configuration).inferBlocking(picture)
            try Self.damage(damage, in: folder)
            let repaired = try TestModel.engine(configuration)
            #expect(!repaired.isFromCache)
            #expect(repaired.cacheProblem == nil)
            #expect(try repaired.inferBlocking(picture) == expected)
            #expect(try TestModel.engine(configuration).isFromCache)
        }
    }

    private static func damage(_ damage: Damage, in folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let network = try #require(files.first { $0.pathExtension == "blob" })
        var content = try Data(contentsOf: network)
        switch damage {
        case .empty: content = Data()
        case .cutShort: content = content.prefix(100)
        case .half: content = content.prefix(content.count / 2)
        case .changedInTheMiddle:
            let middle = content.count / 2
            content.replaceSubrange(middle..<middle + 4096, with: Data(count: 4096))
        case .unsealed:
            let seal = try #require(files.first { $0.pathExtension == "sha256" })
            return try FileManager.default.removeItem(at: seal)
        }
        try FileManager.default.removeItem(at: network)
        try content.write(to: network)
    }

    @Test func readsAVectorOfHalves() throws {
        let picture = TestModel.picture(5)
        let expected = try TestModel.sharedEngine.get().inferBlocking(picture)
        try TestModel.withCopy { folder in
            let network = folder.appending(path: "model.onnx")
            let cast = try CommandResult.runBlocking(python, ["-c", Self.castToHalves, network.path])
            try #require(cast.exitStatus == 0, "\(cast.errorText)")
            let engine = try InferenceEngine(
                model: try Model(folder: folder.path), configuration: InferenceConfiguration(streams: 1, threads: 1))
            let halves = try engine.inferBlocking(picture)
            #expect(cosine(halves.map(Double.init), expected.map(Double.init)) > 0.99999)
        }
    }

    /// Has the network give its vector in halves, under the same name.
    private static let castToHalves = """
        import sys, onnx
        from onnx import TensorProto, helper
        model = onnx.load(sys.argv[1])
        graph = model.graph
        graph.node[-1].output[0] = "wide"
        graph.node.append(helper.make_node("Cast", ["wide"], ["embedding"], to=TensorProto.FLOAT16))
        graph.output[0].type.tensor_type.elem_type = TensorProto.FLOAT16
        onnx.save(model, sys.argv[1])
        """

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
