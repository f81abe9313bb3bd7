import CPixels

/// Resizes rows: each output sample is a weighted sum of neighbours.
struct HorizontalPass {
    let weights: AxisWeights

    /// The count of output samples.
    var count: Int { weights.entries.count }

    /// - Parameters:
    ///   - row: Three planes of the samples in the weights' `inputRange`, each `stride` elements long, of which the
    ///     last `CPIXELS_LANES` - 1 are padding: the kernel reads whole lanes, and weighs what is too much by zero.
    ///   - result: Three planes of at least ``count`` elements, `resultStride` elements apart.
    func resize(
        _ row: UnsafePointer<Int16>, stride: Int, into result: UnsafeMutablePointer<Int16>, resultStride: Int
    ) {
        for (index, entry) in weights.entries.enumerated() {
            cpixels_weigh_neighbours(
                row + entry.first, stride,
                weights.high.start + index * weights.stride, weights.low.start + index * weights.stride,
                AxisWeights.padded(entry.count),
                result + index, resultStride)
        }
    }
}
