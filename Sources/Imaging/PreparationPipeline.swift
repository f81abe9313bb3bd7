/// What happens to each row that a decoder gives: resampling and colour sampling, and how long they took.
final class PreparationPipeline: RowSink {
    private let resampler: Resampler
    private var sampler: ColorSampler
    private let clock = SuspendingClock()
    private(set) var duration: Duration = .zero

    init(header: ImageHeader, reduction: JPEGReduction, geometry: ResizeGeometry, interpolation: Interpolation) {
        resampler = Resampler(
            header: header, reduction: reduction, geometry: geometry, interpolation: interpolation)
        sampler = ColorSampler(width: reduction.reduced(header.width), height: reduction.reduced(header.height))
    }

    func take(_ row: UnsafeBufferPointer<UInt32>) {
        let start = clock.now
        resampler.take(row)
        sampler.take(row)
        duration += clock.now - start
    }

    /// The crop, once all rows were taken.
    var pixels: [UInt8] { resampler.pixels }

    func findDominantColor() -> RGBColor {
        let start = clock.now
        defer { duration += clock.now - start }
        return DominantColor.find(in: sampler.histogram)
    }
}
