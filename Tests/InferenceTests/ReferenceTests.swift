import Inference
import TestSupport
import Testing

/// Against the Python reference, run live: Pillow's pixels in both, so that only inference is compared.
struct ReferenceTests {
    private static let pictures = ["chelsea.png", "coffee.png", "camera.png", "flower.jpg", "rocket.jpg"].map {
        dependencies.appending(path: "pictures/\($0)").path
    }

    @Test func givesTheReferencesVectorForTheSamePixels() async throws {
        let engine = try TestModel.sharedEngine.get()
        let lines = try Reference.lines(Self.pictures)
        #expect(lines.count == Self.pictures.count)
        for line in lines {
            let vector = try await engine.infer([UInt8](line.pixels)).vector
            #expect(cosine(vector.map(Double.init), line.embedding) >= 0.99999, "\(line.file)")
        }
    }

    @Test func tellsPicturesApart() throws {
        let engine = try TestModel.sharedEngine.get()
        let names = ["motorcycle_left.png", "motorcycle_right.png", "coffee.png"]
        let lines = try Reference.lines(names.map { dependencies.appending(path: "pictures/\($0)").path })
        let vectors = try lines.map { try engine.inferBlocking([UInt8]($0.pixels)).map(Double.init) }
        // Two views of one motorcycle, and a cup of coffee.
        #expect(cosine(vectors[0], vectors[1]) > 0.8)
        #expect(cosine(vectors[0], vectors[2]) < 0.4)
    }
}
