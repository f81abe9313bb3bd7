import CPixels

/// Computes the weights of a resampling filter in the arithmetic of Pillow's `precompute_coeffs` and
/// `normalize_coeffs_8bpc`: every rounding is theirs.
struct FixedPointFilter {
    private let inputCount: Int
    private let interpolation: Interpolation
    /// Source samples per output sample.
    private let scale: Double
    /// How far the filter is stretched; it is never squeezed.
    private let stretch: Double
    private let support: Double

    init(inputCount: Int, inputLength: Double, outputCount: Int, interpolation: Interpolation) {
        self.inputCount = inputCount
        self.interpolation = interpolation
        scale = inputLength / Double(outputCount)
        stretch = max(scale, 1)
        support = interpolation.support * stretch
    }

    /// The weights of one output sample, from the first source sample that has one.
    func weights(ofOutput index: Int) -> (first: Int, weights: [Int32]) {
        let center = (Double(index) + 0.5) * scale
        let first = max(Int(center - support + 0.5), 0)
        let end = min(Int(center + support + 0.5), inputCount)
        let inverse = 1 / stretch
        let raw = (first..<end).map { sample in
            interpolation.weight(at: (Double(sample) - center + 0.5) * inverse)
        }
        let sum = raw.reduce(0, +)
        return (first, raw.map { Self.fixedPoint(sum == 0 ? $0 : $0 / sum) })
    }

    private static func fixedPoint(_ weight: Double) -> Int32 {
        let scaled = weight * Double(1 << CPIXELS_WEIGHT_BITS)
        return Int32(weight < 0 ? scaled - 0.5 : scaled + 0.5)
    }
}
