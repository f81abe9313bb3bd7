import CPixels

/// Which source samples make each output sample along one axis, and with what weights.
///
/// The weights are those of Pillow's `ImagingResample`: computed in double precision over the filter's support,
/// normalised to a sum of 1 and rounded to fixed point with 22 bits behind the point. Only a window of the output is
/// covered; its weights don't depend on the window.
struct AxisWeights {
    /// The weights of one output sample.
    struct Entry: Hashable {
        /// The first source sample, relative to the start of ``AxisWeights/inputRange``.
        let first: Int
        /// How many source samples there are; at least 1.
        let count: Int

        var end: Int { first + count }
    }

    /// In the order of the output. Both `first` and `end` never decrease.
    let entries: [Entry]
    /// The source samples that are needed at all.
    let inputRange: Range<Int>
    /// The weights of entry i stand from i * stride, filled up with zeros; a multiple of `CPIXELS_LANES`.
    let stride: Int
    /// Weights without their lowest 11 bits, and those bits.
    let high: RowBuffer<Int16>
    let low: RowBuffer<Int16>

    /// - Parameters:
    ///   - inputCount: The number of source samples.
    ///   - inputLength: The length of the source in samples. Less than `inputCount` if the last sample covers the
    ///     source only in part, as after a reduction that does not divide the side.
    ///   - outputCount: The number of samples that the whole source is resized to.
    ///   - window: The part of the output that is wanted; not empty.
    init(
        inputCount: Int, inputLength: Double, outputCount: Int, window: Range<Int>, interpolation: Interpolation
    ) {
        let filter = FixedPointFilter(
            inputCount: inputCount, inputLength: inputLength, outputCount: outputCount, interpolation: interpolation)
        self.init(window.map(filter.weights))
    }

    /// - Parameter lists: For each output sample the first source sample and the weights from there on.
    private init(_ lists: [(first: Int, weights: [Int32])]) {
        let start = lists.map(\.first).min() ?? 0
        let end = lists.map { $0.first + $0.weights.count }.max() ?? 0
        let stride = Self.padded(lists.map(\.weights.count).max() ?? 0)
        high = RowBuffer(count: lists.count * stride)
        low = RowBuffer(count: lists.count * stride)
        for (index, list) in lists.enumerated() {
            for (tap, weight) in list.weights.enumerated() {
                high.start[index * stride + tap] = Int16(truncatingIfNeeded: weight >> CPIXELS_LOW_BITS)
                low.start[index * stride + tap] = Int16(truncatingIfNeeded: weight & (1 << CPIXELS_LOW_BITS - 1))
            }
        }
        entries = lists.map { Entry(first: $0.first - start, count: $0.weights.count) }
        inputRange = start..<end
        self.stride = stride
    }

    /// The weights for a source and an output that are both read backwards.
    ///
    /// Turning weights around is free, turning a picture around is not; and it is exact, whereas weights computed for
    /// the turned picture differ in the last bit.
    func mirrored(inputCount: Int) -> AxisWeights {
        AxisWeights(
            entries.indices.reversed().map { index in
                (inputCount - inputRange.lowerBound - entries[index].end, weights(at: index).reversed())
            })
    }

    private func weights(at index: Int) -> [Int32] {
        (0..<entries[index].count).map { tap in
            Int32(high.start[index * stride + tap]) << CPIXELS_LOW_BITS + Int32(low.start[index * stride + tap])
        }
    }

    /// The count of elements that a kernel reads for `count`.
    static func padded(_ count: Int) -> Int {
        let lanes = Int(CPIXELS_LANES)
        return (count + lanes - 1) / lanes * lanes
    }
}
