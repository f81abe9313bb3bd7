import Testing

@testable import Inference

struct VectorFinishTests {
    @Test func scalesToLengthOne() throws {
        #expect(try finish([3, 4], normalize: true) == [0.6, 0.8])
        #expect(try finish([-5], normalize: true) == [-1])
    }

    @Test func leavesTheNumbersAloneIfNotAsked() throws {
        #expect(try finish([3, 4], normalize: false) == [3, 4])
    }

    @Test func leavesZerosAsTheyAre() throws {
        #expect(try finish([0, 0, 0], normalize: true) == [0, 0, 0])
    }

    /// Their squares are outside of float32's range.
    @Test(arguments: [
        Float(sign: .plus, exponent: 120, significand: 1), Float(sign: .plus, exponent: -120, significand: 1),
    ])
    func survivesVeryLargeAndVerySmallNumbers(unit: Float) throws {
        #expect(try finish([3 * unit, 4 * unit], normalize: true) == [0.6, 0.8])
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity])
    func refusesWhatIsNoNumber(value: Float) {
        for normalize in [true, false] {
            #expect(throws: InferenceError.notFinite(index: 1)) { try finish([0, value, value], normalize: normalize) }
        }
    }

    private func finish(_ numbers: [Float], normalize: Bool) throws -> [Float] {
        try numbers.withUnsafeBufferPointer { try VectorFinish.finish($0, normalize: normalize) }
    }
}
