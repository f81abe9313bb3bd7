import CPixels

/// What a ``PreparationPipeline`` allocates.
struct PipelineFootprint {
    /// From before the first row to the end: weights, rows, the crop, the histogram.
    let heldBytes: ByteCount
    /// In the search for the dominant colour, when the decoder has given back its memory.
    let colorSearchBytes: ByteCount

    /// A list for each output sample while weights are computed: its place, its header, its slack.
    private static let listBytes = 80
    /// Bytes for each weight: its two halves, and as a list.
    private static let bytesPerWeight = 8

    init(header: ImageHeader, reduction: JPEGReduction, geometry: ResizeGeometry, interpolation: Interpolation) {
        let turn = header.orientation
        let across = AxisExtent(
            side: header.width, reduction: reduction, outputCount: turn.swapsAxes ? geometry.height : geometry.width,
            window: (turn.swapsAxes ? geometry.rows : geometry.columns).count, interpolation: interpolation)
        let down = AxisExtent(
            side: header.height, reduction: reduction, outputCount: turn.swapsAxes ? geometry.width : geometry.height,
            window: (turn.swapsAxes ? geometry.columns : geometry.rows).count, interpolation: interpolation)
        let columnsFirst = Resampler.resizesStoredColumnsFirst(header, reduction: reduction, geometry: geometry)

        let planes = ByteCount(3 * AxisWeights.padded(across.inputCount + Int(CPIXELS_LANES) - 1))
        let narrowPlanes = ByteCount(3 * AxisWeights.padded(across.window))
        let summedRow = columnsFirst ? planes : narrowPlanes
        let rows = (planes + narrowPlanes + summedRow) * MemoryLayout<Int16>.stride
        let sums = summedRow * down.openEntries * MemoryLayout<Int32>.stride
        let crop = ByteCount(3 * across.window) * down.window
        let weights =
            Self.weightBytes(across, isReversed: turn.reversesColumns)
            + Self.weightBytes(down, isReversed: turn.reversesRows)
        heldBytes = rows + sums + crop + weights + ByteCount(ColorHistogram.byteCount)

        let samples = min(
            reduction.reduced(header.width) * reduction.reduced(header.height), ColorSampler.maximumSamples)
        colorSearchBytes = DominantColor.mostSearchBytes(samples: samples)
    }

    /// While weights are turned around, both are there.
    private static func weightBytes(_ axis: AxisExtent, isReversed: Bool) -> ByteCount {
        let weights = ByteCount(AxisWeights.padded(axis.weightCount)) * bytesPerWeight + ByteCount(listBytes)
        return weights * axis.window * (isReversed ? 2 : 1)
    }
}
