import CPixels

/// Resizes, turns and crops a picture row by row, bit-equal to Pillow's `transpose`, `resize` and `crop` of the whole.
///
/// Pillow resizes along one axis of the upright picture, rounds to 8 bits and resizes along the other, so the order of
/// the passes shows. Which stored axis is the first one depends on the orientation. Mirroring is left to the weights
/// and to the place where an output row is written. Neither the picture nor the resized picture is ever held: memory is
/// a few rows and the crop.
final class Resampler {
    private let rowOfPlanes: RowBuffer<Int16>
    private let narrowRow: RowBuffer<Int16>
    private let horizontal: HorizontalPass
    private let vertical: VerticalPass
    private let columns: Range<Int>
    private let rows: Range<Int>
    private let columnsFirst: Bool
    /// Where the output sample (row r, column c) of the passes belongs: origin + r * rowStep + c * columnStep.
    private let origin: Int
    private let rowStep: Int
    private let columnStep: Int
    private var nextRow = 0

    /// Red, green, blue, row by row; complete after the last row was taken.
    private(set) var pixels: [UInt8]

    init(header: ImageHeader, reduction: JPEGReduction, geometry: ResizeGeometry, interpolation: Interpolation) {
        let turn = header.orientation
        // Both axes as stored; each belongs to the axis of the upright picture that it is seen along.
        let across = Self.weights(
            side: header.width, reduction: reduction, isReversed: turn.reversesColumns,
            outputCount: turn.swapsAxes ? geometry.height : geometry.width,
            window: turn.swapsAxes ? geometry.rows : geometry.columns, interpolation: interpolation)
        let down = Self.weights(
            side: header.height, reduction: reduction, isReversed: turn.reversesRows,
            outputCount: turn.swapsAxes ? geometry.width : geometry.height,
            window: turn.swapsAxes ? geometry.columns : geometry.rows, interpolation: interpolation)
        columns = across.inputRange
        rows = down.inputRange
        columnsFirst = Self.resizesStoredColumnsFirst(header, reduction: reduction, geometry: geometry)

        let planeLength = AxisWeights.padded(columns.count + Int(CPIXELS_LANES) - 1)
        let narrowLength = AxisWeights.padded(across.entries.count)
        rowOfPlanes = RowBuffer(count: 3 * planeLength)
        narrowRow = RowBuffer(count: 3 * narrowLength)
        horizontal = HorizontalPass(weights: across)
        vertical = VerticalPass(weights: down, rowLength: 3 * (columnsFirst ? planeLength : narrowLength))

        let width = geometry.columns.count
        let (rowStride, columnStride) = turn.swapsAxes ? (1, width) : (width, 1)
        rowStep = turn.reversesRows ? -rowStride : rowStride
        columnStep = turn.reversesColumns ? -columnStride : columnStride
        origin =
            (turn.reversesRows ? (down.entries.count - 1) * rowStride : 0)
            + (turn.reversesColumns ? (across.entries.count - 1) * columnStride : 0)
        pixels = [UInt8](repeating: 0, count: width * geometry.rows.count * 3)
    }

    /// Pillow's order since version 13: columns first if the height loses more than twice as many pixels as the width.
    private static func resizesColumnsFirst(width: Int, height: Int, geometry: ResizeGeometry) -> Bool {
        geometry.height < height && height - geometry.height > 2 * (width - geometry.width)
    }

    /// The stored columns are the upright picture's rows if the orientation exchanges them.
    static func resizesStoredColumnsFirst(
        _ header: ImageHeader, reduction: JPEGReduction, geometry: ResizeGeometry
    ) -> Bool {
        let uprightColumnsFirst = resizesColumnsFirst(
            width: reduction.reduced(header.uprightWidth), height: reduction.reduced(header.uprightHeight),
            geometry: geometry)
        return header.orientation.swapsAxes != uprightColumnsFirst
    }

    private static func weights(
        side: Int, reduction: JPEGReduction, isReversed: Bool, outputCount: Int, window: Range<Int>,
        interpolation: Interpolation
    ) -> AxisWeights {
        let count = reduction.reduced(side)
        let weights = AxisWeights(
            inputCount: count, inputLength: Double(side) / Double(reduction.divisor), outputCount: outputCount,
            window: window, interpolation: interpolation)
        return isReversed ? weights.mirrored(inputCount: count) : weights
    }

    /// - Parameter row: The next stored row, as wide as the (reduced) picture.
    func take(_ row: UnsafeBufferPointer<UInt32>) {
        defer { nextRow += 1 }
        guard rows.contains(nextRow), columns.upperBound <= row.count, let start = row.baseAddress else { return }
        let planeLength = rowOfPlanes.count / 3
        cpixels_split(start + columns.lowerBound, columns.count, rowOfPlanes.start, planeLength)
        if columnsFirst {
            vertical.add(rowOfPlanes.start) { index, row in
                narrow(row)
                store(narrowRow.start, at: index)
            }
        } else {
            narrow(rowOfPlanes.start)
            vertical.add(narrowRow.start) { index, row in store(row, at: index) }
        }
    }

    private func narrow(_ row: UnsafePointer<Int16>) {
        horizontal.resize(
            row, stride: rowOfPlanes.count / 3, into: narrowRow.start, resultStride: narrowRow.count / 3)
    }

    private func store(_ row: UnsafePointer<Int16>, at index: Int) {
        let planeLength = narrowRow.count / 3
        for column in 0..<horizontal.count {
            let place = 3 * (origin + index * rowStep + column * columnStep)
            for plane in 0..<3 {
                // The kernels have clipped to 0…255.
                pixels[place + plane] = UInt8(truncatingIfNeeded: row[plane * planeLength + column])
            }
        }
    }
}
