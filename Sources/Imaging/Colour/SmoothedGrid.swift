/// Counts in cubic cells over a box.
struct SmoothedGrid {
    private let lowest: SIMD3<Float>
    private let highest: SIMD3<Float>
    private let cellSide: Float
    /// Cells along each axis, with a margin of one cell on both sides, so that neighbours always exist.
    private let sides: SIMD3<Int>
    private(set) var counts: [Float]

    /// - Parameters: Two corners of the box; what lies outside is counted at its surface.
    init(lowest: SIMD3<Float>, highest: SIMD3<Float>, cellSide: Float) {
        self.lowest = lowest
        self.highest = highest
        self.cellSide = cellSide
        sides = SIMD3<Int>((highest - lowest) / cellSide) &+ 3
        counts = [Float](repeating: 0, count: sides.x * sides.y * sides.z)
    }

    /// The cell that a position lies in: an index into ``counts``.
    func index(of position: SIMD3<Float>) -> Int {
        let inside = position.clamped(lowerBound: lowest, upperBound: highest)
        let cell = SIMD3<Int>((inside - lowest) / cellSide) &+ 1
        return (cell.x * sides.y + cell.y) * sides.z + cell.z
    }

    mutating func add(_ count: Float, to cell: Int) { counts[cell] += count }

    /// Weighs each cell and its neighbours 1 : 2 : 1 along every axis.
    mutating func smooth() {
        for step in [1, sides.z, sides.y * sides.z] {
            let old = counts
            for cell in step..<counts.count - step {
                counts[cell] = old[cell - step] + 2 * old[cell] + old[cell + step]
            }
        }
    }
}
