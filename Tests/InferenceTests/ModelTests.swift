import Foundation
import Inference
import Testing

struct ModelTests {
    @Test func loadsTheDefaultModel() throws {
        let card = try TestModel.load().card
        #expect(card.name == "efficientnet-lite0")
        #expect(card.recipe.resize == .shorterSide(256))
        #expect(card.recipe.crop == ModelSize(width: 224, height: 224))
        #expect(card.recipe.interpolation == .bicubic)
        #expect(card.output.dimensions == 1280)
    }

    @Test func namesAMissingFolder() {
        #expect(throws: ModelError.unreadable(path: "/nowhere/card.json", reason: "No such file or directory")) {
            try Model(folder: "/nowhere")
        }
    }

    @Test func namesAMissingNetwork() throws {
        try TestModel.withCopy { folder in
            try FileManager.default.removeItem(at: folder.appending(path: "model.onnx"))
            let path = folder.path + "/model.onnx"
            #expect(throws: ModelError.unreadable(path: path, reason: "No such file or directory")) {
                try Model(folder: folder.path)
            }
        }
    }

    @Test(arguments: [
        ("\"name\": \"efficientnet-lite0\",", "", "name is missing"),
        ("\"width\": 224,", "", "recipe.crop.width is missing"),
        ("\"shorterSide\": 256", "", "recipe.resize: give either shorterSide or exact"),
    ])
    func namesWhatACardLacks(part: String, replacement: String, reason: String) throws {
        try withChangedCard(part, replacement) { folder in
            let path = folder.path + "/card.json"
            #expect(throws: ModelError.malformedCard(path: path, reason: reason)) { try Model(folder: folder.path) }
        }
    }

    @Test(arguments: [
        ("\"efficientnet-lite0\"", "\"Lite 0\"", "name"),
        ("\"Apache-2.0\"", "\"\"", "license"),
        ("256", "0", "recipe.resize.shorterSide"),
        ("256", "223", "recipe.crop"),
        ("\"height\": 224", "\"height\": 5000", "recipe.crop.height"),
        ("[127, 127, 127]", "[127, 127]", "recipe.mean"),
        ("[127, 127, 127]", "[127, 127, -1]", "recipe.mean"),
        ("[128, 128, 128]", "[128, 0, 128]", "recipe.std"),
        ("\"embedding\"", "\"\"", "output.name"),
        ("1280", "0", "output.dimensions"),
    ])
    func namesAnInvalidValueOfACard(part: String, replacement: String, field: String) throws {
        try withChangedCard(part, replacement) { folder in
            let error = #expect(throws: ModelError.self) { try Model(folder: folder.path) }
            guard case .invalidCard(_, let cardError) = error else {
                Issue.record("\(String(describing: error)) is not about a value")
                return
            }
            #expect(cardError.field == field)
        }
    }

    @Test func readsWhatItWrites() throws {
        for resize in [ModelResize.shorterSide(256), .exact(ModelSize(width: 320, height: 240))] {
            let written = try JSONEncoder().encode(resize)
            #expect(try JSONDecoder().decode(ModelResize.self, from: written) == resize)
        }
    }

    private func withChangedCard(_ part: String, _ replacement: String, _ body: (URL) throws -> Void) throws {
        try TestModel.withCopy { folder in
            let path = folder.appending(path: "card.json")
            let card = try String(contentsOf: path, encoding: .utf8)
            try #require(card.contains(part))
            // Only the first: the card has equal numbers in several places.
            try card.replacing(part, with: replacement, maxReplacements: 1).write(
                to: path, atomically: true, encoding: .utf8)
            try body(folder)
        }
    }
}
