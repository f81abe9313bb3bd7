/// How large ``AxisWeights`` will be at most, without computing them.
struct AxisExtent {
    /// Output samples.
    let window: Int
    /// Source samples that any of them needs.
    let inputCount: Int
    /// Weights of one output sample.
    let weightCount: Int
    /// Output samples that one source sample belongs to.
    let openEntries: Int

    /// - Parameters:
    ///   - side: The length of the source in stored pixels.
    ///   - outputCount: The number of samples that the whole source is resized to.
    ///   - window: How many of them are wanted; at least 1.
    init(side: Int, reduction: JPEGReduction, outputCount: Int, window: Int, interpolation: Interpolation) {
        let count = reduction.reduced(side)
        let scale = Double(side) / Double(reduction.divisor) / Double(outputCount)
        let reach = 2 * interpolation.support * max(scale, 1)
        // Both ends of a reach are rounded to whole samples.
        let atMost = { (samples: Double, limit: Int) in Int(min(samples.rounded(.up) + 2, Double(limit))) }
        self.window = window
        weightCount = atMost(reach, count)
        inputCount = atMost(Double(window) * scale + reach, count)
        openEntries = atMost(reach / scale, window)
    }
}
