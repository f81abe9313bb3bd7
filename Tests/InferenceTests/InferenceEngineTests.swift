import Testing

@testable import Inference

struct InferenceEngineTests {
    @Test func givesTheCardsNumberOfDimensions() async throws {
        let engine = try TestModel.sharedEngine.get()
        let vector = try await engine.infer(TestModel.picture(1)).vector
        #expect(vector.count == engine.model.card.output.dimensions)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity])
    func refusesWhatIsNoNumber(value: Float) throws {
        #expect(throws: InferenceError.notFinite(index: 1)) { try finiteNumbers([0, value, value]) }
        #expect(try finiteNumbers([3, -0.0]) == [3, 0])
    }

    private func finiteNumbers(_ numbers: [Float]) throws -> [Float] {
        try numbers.withUnsafeBufferPointer { try InferRequest.finiteNumbers(of: $0) }
    }

    @Test func givesTheSameVectorsAtOnceAsOneByOne() async throws {
        let engine = try TestModel.sharedEngine.get()
        let pictures = (0..<64).map { TestModel.picture(UInt8($0)) }
        let oneByOne = try pictures.map { try engine.inferBlocking($0) }
        let atOnce = try await withThrowingTaskGroup(of: (Int, [Float]).self) { group in
            for (index, picture) in pictures.enumerated() {
                group.addTask { (index, try await engine.infer(picture).vector) }
            }
            return try await group.reduce(into: [Int: [Float]]()) { $0[$1.0] = $1.1 }
        }
        for (index, vector) in oneByOne.enumerated() {
            #expect(atOnce[index] == vector)
        }
        #expect(Set(oneByOne).count == pictures.count)
    }

    @Test func refusesAPictureOfTheWrongSize() async throws {
        let engine = try TestModel.sharedEngine.get()
        await #expect(throws: InferenceError.pixelCount(expected: 150_528, found: 150_527)) {
            try await engine.infer([UInt8](repeating: 0, count: 150_527))
        }
        #expect(throws: InferenceError.pixelCount(expected: 150_528, found: 0)) {
            try engine.inferBlocking([])
        }
    }

    @Test(arguments: [(0, 1, "streams"), (1, 0, "threads")])
    func refusesSettingsBelowOne(streams: Int, threads: Int, name: String) throws {
        #expect(throws: InferenceError.invalidSetting(name: name, value: 0)) {
            try TestModel.engine(InferenceConfiguration(streams: streams, threads: threads))
        }
    }

    /// bfloat16 keeps 8 bits of each number: close to f32, and not the same vector.
    @Test func computesInTheConfiguredPrecision() throws {
        let picture = TestModel.picture(3)
        let full = try TestModel.sharedEngine.get().inferBlocking(picture)
        let engine = try TestModel.engine(InferenceConfiguration(precision: .bf16, streams: 1, threads: 1))
        let half = try engine.inferBlocking(picture)
        #expect(cosine(full.map(Double.init), half.map(Double.init)) > 0.99)
    }
}
