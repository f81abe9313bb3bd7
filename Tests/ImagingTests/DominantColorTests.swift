import Scheduling
import TestSupport
import Testing

@testable import Imaging

@Suite("Dominant colour")
struct DominantColorTests {
    private typealias Pixel = (red: Int, green: Int, blue: Int)

    /// - Parameter color: The colour at column x, row y.
    private static func dominant(
        width: Int = 90, height: Int = 70, turned: Bool = false, alpha: (Int, Int) -> Int = { _, _ in 255 },
        _ color: (Int, Int) -> Pixel
    ) -> RGBColor {
        let (columns, rows) = turned ? (height, width) : (width, height)
        var sampler = ColorSampler(width: columns, height: rows)
        for row in 0..<rows {
            let pixels = (0..<columns).map { column in
                let pixel = turned ? color(row, columns - 1 - column) : color(column, row)
                return UInt32(pixel.red) | UInt32(pixel.green) << 8 | UInt32(pixel.blue) << 16
                    | UInt32(alpha(column, row)) << 24
            }
            pixels.withUnsafeBufferPointer { sampler.take($0) }
        }
        return DominantColor.find(in: sampler.histogram)
    }

    private static func noisy(_ pixel: Pixel, _ random: inout SeededGenerator, by amount: Int) -> Pixel {
        let noise = { (level: Int, random: inout SeededGenerator) in
            min(max(level + Int.random(in: -amount...amount, using: &random), 0), 255)
        }
        return (noise(pixel.red, &random), noise(pixel.green, &random), noise(pixel.blue, &random))
    }

    @Test func isTheOnlyColour() {
        #expect(Self.dominant { _, _ in (0x12, 0xAB, 0xF0) }.hex == "#12abf0")
        #expect(Self.dominant(width: 1, height: 1) { _, _ in (0, 0, 0) }.hex == "#000000")
        #expect(Self.dominant(width: 3_000, height: 2) { _, _ in (255, 255, 255) }.hex == "#ffffff")
    }

    @Test func isTheMoreFrequentOfTwo() {
        #expect(Self.dominant { x, _ in x % 10 < 6 ? (200, 30, 40) : (20, 60, 200) }.hex == "#c81e28")
        #expect(Self.dominant { x, _ in x % 10 < 4 ? (200, 30, 40) : (20, 60, 200) }.hex == "#143cc8")
        #expect(Self.dominant { x, _ in x % 10 < 6 ? (0, 0, 0) : (255, 255, 255) }.hex == "#000000")
        #expect(Self.dominant { x, _ in x % 10 < 4 ? (0, 0, 0) : (255, 255, 255) }.hex == "#ffffff")
    }

    @Test func seesThroughNoise() {
        var random = SeededGenerator(seed: 3)
        let color = Self.dominant { x, _ in
            Self.noisy(x % 10 < 6 ? (70, 120, 60) : (180, 150, 110), &random, by: 14)
        }
        #expect(abs(Int(color.red) - 70) < 6 && abs(Int(color.green) - 120) < 6 && abs(Int(color.blue) - 60) < 6)
    }

    @Test func isNotTheAverage() {
        // Two fifths of blue among many colours, none of which is as frequent.
        var random = SeededGenerator(seed: 4)
        let color = Self.dominant { _, y in
            y < 28 ? (90, 150, 220) : (.random(in: 0...255, using: &random), .random(in: 0...255, using: &random), 30)
        }
        #expect(abs(Int(color.red) - 90) < 6 && abs(Int(color.green) - 150) < 6 && abs(Int(color.blue) - 220) < 6)
    }

    @Test func callsAShadedSkyBlue() {
        var random = SeededGenerator(seed: 5)
        let color = Self.dominant { _, y in
            if y < 38 { return Self.noisy((80 + y, 130 + y, 215 + y / 4), &random, by: 4) }
            return Self.noisy(y % 3 == 0 ? (120, 90, 60) : y % 3 == 1 ? (60, 70, 40) : (30, 30, 30), &random, by: 25)
        }
        #expect(color.blue > 200 && color.blue > color.green && color.green > color.red)
    }

    @Test func liesWithinAGradient() {
        let color = Self.dominant(width: 256) { x, _ in (x, x, x) }
        #expect(color.red == color.green && color.green == color.blue)
    }

    @Test func doesNotDependOnTheRotation() {
        let picture = { (x: Int, y: Int) -> Pixel in (x * 2, (x + y) % 256, (y * y / 40) % 256) }
        #expect(Self.dominant(picture) == Self.dominant(turned: true, picture))
    }

    // MARK: Alpha

    @Test func isNothingThatIsSeenThrough() {
        let picture = { (x: Int, _: Int) -> Pixel in x >= 60 ? (200, 30, 40) : (20, 60, 200) }
        #expect(Self.dominant(alpha: { x, _ in x >= 60 ? 255 : 0 }, picture).hex == "#c81e28")
        #expect(Self.dominant(alpha: { x, _ in x >= 60 ? 128 : 127 }, picture).hex == "#c81e28")
        #expect(Self.dominant(alpha: { x, _ in x >= 60 ? 255 : 128 }, picture).hex == "#143cc8")
    }

    @Test func isTheHiddenColourWhereThereIsNoOther() {
        let picture = { (x: Int, _: Int) -> Pixel in x >= 60 ? (200, 30, 40) : (20, 60, 200) }
        #expect(Self.dominant(alpha: { _, _ in 0 }, picture).hex == "#143cc8")
        #expect(Self.dominant(alpha: { _, y in y == 69 ? 255 : 0 }, picture).hex == "#143cc8")
        #expect(Self.dominant(alpha: { x, y in x == 89 && y == 69 ? 255 : 0 }, picture).hex == "#c81e28")
    }

    /// Each is a disc on nothing, and nothing is black.
    @Test(
        arguments: ["logo-png", "logo-png-palette", "logo-webp", "logo-webp-lossless", "logo-gif"].map {
            ($0, [200, 30, 40])
        } + [("logo-png-gray", [200, 200, 200])])
    func isTheColourOfALogo(_ picture: String, _ expected: [Int]) throws {
        let file = try PillowReference.picture(picture, width: 200, height: 200)
        let preparation = try Preparation(
            resize: .shorterSide(32), cropWidth: 32, cropHeight: 32, interpolation: .bicubic)
        let color = try ImagePreparer.prepare(file, preparation: preparation, cancellation: CancellationFlag())
            .dominantColor
        let differences = zip([color.red, color.green, color.blue], expected).map { abs(Int($0) - $1) }
        #expect((differences.max() ?? 255) <= 4, "\(color.hex)")
    }

    @Test func takesABoundedNumberOfSamples() {
        for (width, height) in [(1, 1), (256, 256), (257, 256), (8_000, 8_000), (60_000, 1_000), (65_535, 1)] {
            var sampler = ColorSampler(width: width, height: height)
            let row = [UInt32](repeating: 0, count: width)
            for _ in 0..<height { row.withUnsafeBufferPointer { sampler.take($0) } }
            let samples = sampler.histogram.filledCells.reduce(0) { $0 + Int($1.count) }
            #expect(samples > 0 && samples <= ColorSampler.maximumSamples)
        }
    }
}
