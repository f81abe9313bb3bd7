/// Counts colours in cells of eight levels a channel and remembers each cell's mean.
struct ColorHistogram {
    /// Some samples of nearly the same colour.
    struct Cell {
        /// The sums of red, green and blue and the count of samples.
        fileprivate(set) var sums: SIMD4<UInt32> = .zero

        var count: UInt32 { sums.w }
    }

    private static let bitsPerChannel: UInt32 = 5
    private static let droppedBits = 8 - bitsPerChannel

    /// Cells of all colours.
    static let cellCount = 1 << (3 * Int(bitsPerChannel))
    /// What a histogram takes, however many samples it counts.
    static let byteCount = cellCount * MemoryLayout<Cell>.stride

    private var cells = [Cell](repeating: Cell(), count: cellCount)

    /// In a fixed order.
    var filledCells: [Cell] { cells.filter { $0.count > 0 } }

    /// In place, so that no second histogram is ever allocated.
    mutating func removeAll() {
        for index in cells.indices { cells[index] = Cell() }
    }

    /// - Parameter pixel: Red in the lowest byte, then green and blue.
    mutating func add(_ pixel: UInt32) {
        let (red, green, blue) = (pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255)
        let levels = SIMD3(red, green, blue) &>> Self.droppedBits
        let index = (levels.x << Self.bitsPerChannel | levels.y) << Self.bitsPerChannel | levels.z
        cells[Int(index)].sums &+= SIMD4(red, green, blue, 1)
    }
}
