/// Counts in cubic cells over the space that OKLab colours can take.
struct SmoothedGrid {
    /// Cells a side: room for coordinates of -0.5…1 with a margin of one cell, so that neighbours always exist.
    private let side: Int
    private let cellSide: Float
    private var counts: [Float]

    private static let lowest: Float = -0.5
    private static let highest: Float = 1

    init(cellSide: Float) {
        self.cellSide = cellSide
        side = Int((Self.highest - Self.lowest) / cellSide) + 3
        counts = [Float](repeating: 0, count: side * side * side)
    }

    func index(of position: SIMD3<Float>) -> Int {
        let limited = position.clamped(
            lowerBound: SIMD3(repeating: Self.lowest), upperBound: SIMD3(repeating: Self.highest))
        let cell = SIMD3<Int>((limited - Self.lowest) / cellSide) &+ 1
        return (cell.x * side + cell.y) * side + cell.z
    }

    mutating func add(_ count: Float, at position: SIMD3<Float>) {
        counts[index(of: position)] += count
    }

    func value(at position: SIMD3<Float>) -> Float { counts[index(of: position)] }

    /// Weighs each cell and its neighbours 1 : 2 : 1 along every axis.
    mutating func smooth() {
        for step in [1, side, side * side] {
            let old = counts
            for cell in step..<counts.count - step {
                counts[cell] = old[cell - step] + 2 * old[cell] + old[cell + step]
            }
        }
    }
}
