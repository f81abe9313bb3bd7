import Foundation
import Inference
import Testing

struct FingerprintTests {
    @Test func hasTheFormThatAnswersCarry() throws {
        let fingerprint = try TestModel.load().fingerprint(precision: .f32, decoding: "fast")
        #expect(fingerprint.wholeMatch(of: /sha256:[0-9a-f]{64}/) != nil)
    }

    @Test func isTheSameEachTimeAndOfItsPrecision() throws {
        let model = try TestModel.load()
        #expect(
            try model.fingerprint(precision: .f32, decoding: "fast")
                == TestModel.load().fingerprint(precision: .f32, decoding: "fast"))
        let all = Set(InferencePrecision.allCases.map { model.fingerprint(precision: $0, decoding: "fast") })
        #expect(all.count == InferencePrecision.allCases.count)
        #expect(!all.contains(model.fingerprint(precision: .f32, decoding: "exact")))
    }

    /// What changes a vector's numbers, part by part.
    @Test(arguments: [
        ("256", "257"),
        ("\"shorterSide\": 256", "\"exact\": {\"width\": 256, \"height\": 256}"),
        ("\"width\": 224", "\"width\": 225"),
        ("bicubic", "bilinear"),
        ("[127, 127, 127]", "[127, 127, 127.5]"),
        ("[128, 128, 128]", "[128, 128, 128.5]"),
        ("\"embedding\"", "\"other\""),
        ("1280", "1281"),
        ("\"normalize\": true", "\"normalize\": false"),
    ])
    func changesWithWhatAVectorDependsOn(part: String, replacement: String) throws {
        let original = try TestModel.load().fingerprint(precision: .f32, decoding: "fast")
        #expect(try fingerprint(replacing: part, with: replacement) != original)
    }

    @Test func staysWithWhatOnlyPeopleRead() throws {
        let original = try TestModel.load().fingerprint(precision: .f32, decoding: "fast")
        #expect(try fingerprint(replacing: "\"efficientnet-lite0\"", with: "\"other\"") == original)
        #expect(try fingerprint(replacing: "Apache-2.0", with: "MIT") == original)
        #expect(try fingerprint(replacing: "[127, 127, 127]", with: "[127.0, 127, 1.27e2]") == original)
    }

    @Test func changesWithTheNetworksBytes() throws {
        let original = try TestModel.load().fingerprint(precision: .f32, decoding: "fast")
        let changed = try TestModel.withCopy { folder in
            let file = try FileHandle(forUpdating: folder.appending(path: "model.onnx"))
            try file.seekToEnd()
            try file.write(contentsOf: [0])
            try file.close()
            return try Model(folder: folder.path).fingerprint(precision: .f32, decoding: "fast")
        }
        #expect(changed != original)
    }

    private func fingerprint(replacing part: String, with replacement: String) throws -> String {
        try TestModel.withCopy { folder in
            let path = folder.appending(path: "card.json")
            let card = try String(contentsOf: path, encoding: .utf8)
            try #require(card.contains(part))
            try card.replacing(part, with: replacement, maxReplacements: 1).write(
                to: path, atomically: true, encoding: .utf8)
            return try Model(folder: folder.path).fingerprint(precision: .f32, decoding: "fast")
        }
    }
}
