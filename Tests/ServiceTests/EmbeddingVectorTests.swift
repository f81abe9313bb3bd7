import Testing

@testable import Service

@Suite struct EmbeddingVectorTests {
    @Test func scalingKeepsTheDirectionAndMakesTheLengthOne() {
        let vector = EmbeddingVector(modelOutput: [3, 0, -4], dimensions: nil, normalize: true)
        #expect(vector.elements == [0.6, 0, -0.8])
        #expect(vector.isNormalized)
    }

    @Test func itIsCutBeforeItIsScaled() {
        let vector = EmbeddingVector(modelOutput: [3, 4, 12], dimensions: 2, normalize: true)
        #expect(vector.elements == [0.6, 0.8])
    }

    @Test func unscaledElementsAreTheModelsOwn() {
        let vector = EmbeddingVector(modelOutput: [3, 4, 12], dimensions: 2, normalize: false)
        #expect(vector.elements == [3, 4])
        #expect(!vector.isNormalized)
    }

    @Test func zerosStayZerosAndAreNotCalledNormalized() {
        let vector = EmbeddingVector(modelOutput: [0, 0], dimensions: nil, normalize: true)
        #expect(vector.elements == [0, 0])
        #expect(!vector.isNormalized)
    }

    /// The squares of such elements are outside of float32's range.
    @Test(arguments: [
        Float(sign: .plus, exponent: 120, significand: 1), Float(sign: .plus, exponent: -120, significand: 1),
    ])
    func veryLargeAndVerySmallElementsDoNotSpoilTheVector(unit: Float) {
        let vector = EmbeddingVector(modelOutput: [3 * unit, 4 * unit], dimensions: nil, normalize: true)
        #expect(vector.elements == [0.6, 0.8])
    }

    @Test func bytesAreLittleEndianFloats() {
        // IEEE 754: 1.0 is 0x3f800000, -2.5 is 0xc0200000.
        let vector = EmbeddingVector(modelOutput: [1, -2.5], dimensions: nil, normalize: false)
        #expect(vector.littleEndianBytes == [0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0])
    }
}
