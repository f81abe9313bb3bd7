/// Takes a regular grid of samples out of a picture while its rows come by.
///
/// The grid has the same spacing along both axes and stands in the middle of the picture, so it lies on the same pixels
/// however the picture is turned (to within the one pixel that may be left over).
struct ColorSampler {
    /// Enough for a stable histogram, few enough not to be felt beside the decode.
    static let maximumSamples = 65_536

    private let spacing: Int
    private let firstColumn: Int
    private let firstRow: Int
    private var nextRow = 0
    private(set) var histogram = ColorHistogram()

    /// - Parameters: The size of the picture that comes, in pixels.
    init(width: Int, height: Int) {
        let perSide = { (side: Int, spacing: Int) in (side + spacing - 1) / spacing }
        var spacing = 1
        while perSide(width, spacing) * perSide(height, spacing) > Self.maximumSamples { spacing += 1 }
        self.spacing = spacing
        firstColumn = (width - 1) % spacing / 2
        firstRow = (height - 1) % spacing / 2
    }

    mutating func take(_ row: UnsafeBufferPointer<UInt32>) {
        defer { nextRow += 1 }
        guard nextRow >= firstRow, (nextRow - firstRow) % spacing == 0 else { return }
        for column in stride(from: firstColumn, to: row.count, by: spacing) {
            histogram.add(row[column])
        }
    }
}
