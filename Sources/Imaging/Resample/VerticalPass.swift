import CPixels

/// Resizes columns while rows come in one after the other: each output row is a weighted sum of rows.
///
/// It holds sums for those output rows only that the next source row adds to, so its memory does not depend on the
/// height of the source.
final class VerticalPass {
    private let weights: AxisWeights
    private let rowLength: Int
    /// Sums of output row i stand in slot i modulo `slotCount`.
    private let slotCount: Int
    private let sums: RowBuffer<Int32>
    private let finished: RowBuffer<Int16>
    private var nextRow = 0
    /// The output rows that have begun and not ended.
    private var open = 0..<0

    /// - Parameter rowLength: Samples in a row; a multiple of `CPIXELS_LANES`.
    init(weights: AxisWeights, rowLength: Int) {
        self.weights = weights
        self.rowLength = rowLength
        slotCount = Self.mostOpenRows(weights.entries)
        sums = RowBuffer(count: slotCount * rowLength)
        finished = RowBuffer(count: rowLength)
    }

    /// Adds the next row of the weights' `inputRange` and hands on the output rows that are complete with it, in order.
    ///
    /// - Parameter row: `rowLength` samples.
    func add(_ row: UnsafePointer<Int16>, handOn: (_ index: Int, _ row: UnsafePointer<Int16>) -> Void) {
        openRows()
        for index in open {
            let weight = index * weights.stride + nextRow - weights.entries[index].first
            cpixels_add_weighted(
                row, rowLength, weights.high.start[weight], weights.low.start[weight], slot(index))
        }
        nextRow += 1
        while let index = open.first, weights.entries[index].end == nextRow {
            cpixels_round_all(slot(index), rowLength, finished.start)
            handOn(index, finished.start)
            open = index + 1..<open.upperBound
        }
    }

    private func openRows() {
        while open.upperBound < weights.entries.count, weights.entries[open.upperBound].first == nextRow {
            let half: Int32 = 1 << (CPIXELS_WEIGHT_BITS - 1)
            slot(open.upperBound).update(repeating: half, count: rowLength)
            open = open.lowerBound..<open.upperBound + 1
        }
    }

    private func slot(_ index: Int) -> UnsafeMutablePointer<Int32> {
        sums.start + index % slotCount * rowLength
    }

    private static func mostOpenRows(_ entries: [AxisWeights.Entry]) -> Int {
        var most = 1
        var closed = 0
        for index in entries.indices {
            while entries[closed].end <= entries[index].first { closed += 1 }
            most = max(most, index - closed + 1)
        }
        return most
    }
}
