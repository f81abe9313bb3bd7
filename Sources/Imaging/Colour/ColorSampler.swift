/// Takes a regular grid of samples out of a picture while its rows come by.
///
/// The grid has the same spacing along both axes and stands in the middle of the picture, so it lies on the same pixels
/// however the picture is turned (to within the one pixel that may be left over).
///
/// What a viewer sees through is no colour of the picture: pixels that are less than half opaque count only in a
/// picture that has no others.
struct ColorSampler {
    /// Enough for a stable histogram, few enough not to be felt beside the decode.
    static let maximumSamples = 65_536
    /// Half of 255.
    private static let leastOpacity = 128

    private let spacing: Int
    private let firstColumn: Int
    private let firstRow: Int
    private var nextRow = 0
    private var hasSeenOpaque = false
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

    /// - Parameter row: Pixels with red in the lowest byte and alpha in the highest.
    mutating func take(_ row: UnsafeBufferPointer<UInt32>) {
        defer { nextRow += 1 }
        guard nextRow >= firstRow, (nextRow - firstRow) % spacing == 0 else { return }
        for column in stride(from: firstColumn, to: row.count, by: spacing) {
            take(row[column])
        }
    }

    private mutating func take(_ pixel: UInt32) {
        let isOpaque = pixel >> 24 >= Self.leastOpacity
        if isOpaque != hasSeenOpaque {
            guard isOpaque else { return }
            hasSeenOpaque = true
            histogram.removeAll()
        }
        histogram.add(pixel)
    }
}
