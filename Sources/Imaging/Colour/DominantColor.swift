/// Finds the most common colour of a picture as a person would name it.
///
/// The average of a picture is usually a colour that is nowhere in it, and the most frequent exact value is an
/// accident. So colours are counted in a perceptual space, counts are smoothed over neighbouring cells, and the densest
/// place and what lies around it are taken for one colour; its mean is the answer. A person calls a lit and a shaded
/// part of a wall the same colour, so lightness counts less than hue.
enum DominantColor {
    /// How much a step in lightness counts in comparison with one in hue or chroma.
    private static let lightnessShare: Float = 0.5
    /// The side of a smoothing cell, in units of OKLab.
    private static let cellSide: Float = 0.05
    /// What is closer to the centre of a colour than this belongs to it.
    private static let radius: Float = 0.075
    /// The centre is moved to the middle of what belongs to it, until it rests or this often.
    private static let maximumMoves = 8

    private struct Spot {
        let position: SIMD3<Float>
        let sums: SIMD4<UInt32>

        var weight: Float { Float(sums.w) }

        init(_ cell: ColorHistogram.Cell) {
            sums = cell.sums
            let mean = SIMD4<Float>(cell.sums) / Float(cell.count)
            let lab = OKLab(red: mean.x, green: mean.y, blue: mean.z)
            position = SIMD3(lab.lightness * lightnessShare, lab.a, lab.b)
        }
    }

    /// The most memory that the search takes beside the histogram, in bytes: the filled cells, in an array that may
    /// have grown to twice of it, and a spot for each.
    ///
    /// - Parameter samples: How many samples the histogram has counted; each may have filled a cell.
    static func mostSearchBytes(samples: Int) -> ByteCount {
        let bytesPerCell = 2 * MemoryLayout<ColorHistogram.Cell>.stride + MemoryLayout<Spot>.stride
        return ByteCount(min(samples, ColorHistogram.cellCount) * bytesPerCell)
    }

    /// Black for a histogram without samples.
    static func find(in histogram: ColorHistogram) -> RGBColor {
        let spots = histogram.filledCells.map(Spot.init)
        guard var center = densestPlace(spots) else { return RGBColor(red: 0, green: 0, blue: 0) }
        for _ in 0..<maximumMoves {
            let moved = middle(of: spots.filter { isClose($0, to: center) })
            guard moved != center else { break }
            center = moved
        }
        return meanColor(spots.filter { isClose($0, to: center) })
    }

    private static func isClose(_ spot: Spot, to center: SIMD3<Float>) -> Bool {
        let offset = spot.position - center
        return (offset * offset).sum() <= radius * radius
    }

    /// The middle of the spots in the cell that has the largest smoothed count.
    private static func densestPlace(_ spots: [Spot]) -> SIMD3<Float>? {
        // All of sRGB lies within.
        var grid = SmoothedGrid(
            lowest: SIMD3(0, -0.4, -0.4), highest: SIMD3(lightnessShare, 0.4, 0.4), cellSide: cellSide)
        let cells = spots.map { grid.index(of: $0.position) }
        for (spot, cell) in zip(spots, cells) { grid.add(spot.weight, to: cell) }
        grid.smooth()
        guard let densest = cells.max(by: { grid.counts[$0] < grid.counts[$1] }) else { return nil }
        return middle(of: zip(spots, cells).filter { $0.1 == densest }.map(\.0))
    }

    private static func middle(of spots: [Spot]) -> SIMD3<Float> {
        let sum = spots.reduce(SIMD3<Float>.zero) { $0 + $1.position * $1.weight }
        return sum / spots.reduce(0) { $0 + $1.weight }
    }

    private static func meanColor(_ spots: [Spot]) -> RGBColor {
        let sums = spots.reduce(SIMD4<UInt32>.zero) { $0 &+ $1.sums }
        let mean = (sums &+ sums.w / 2) / max(sums.w, 1)
        return RGBColor(
            red: UInt8(truncatingIfNeeded: mean.x), green: UInt8(truncatingIfNeeded: mean.y),
            blue: UInt8(truncatingIfNeeded: mean.z))
    }
}
