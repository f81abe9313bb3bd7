import Testing

@testable import Imaging

/// The footprint of pictures that exist as headers only: 4000 x 3000 pixels, unless a test says otherwise.
@Suite("Decode footprint")
struct DecodeFootprintTests {
    private static let width = 4_000
    private static let height = 3_000
    private static let pixels = 12_000_000
    /// For tables, rows and the search for the dominant colour, beside what is of the picture's size.
    private static let slack = 4_000_000

    private func footprint(
        _ bytes: [UInt8], mode: DecodeMode = .exact, interpolation: Interpolation = .bicubic
    ) throws -> Int {
        let preparation = try Preparation(
            resize: .shorterSide(256), cropWidth: 224, cropHeight: 224, interpolation: interpolation, mode: mode)
        let limits = DecodeLimits(enabledFormats: Set(ImageFormat.allCases))
        return try ImageFile(opening: bytes, limits: limits).decodeFootprintBytes(for: preparation)
    }

    private func expect(_ bytes: [UInt8], takes pixelBytes: Int) throws {
        let allowed = pixelBytes...pixelBytes + Self.slack
        #expect(allowed.contains(try footprint(bytes)))
    }

    // MARK: JPEG

    /// Coefficients of two bytes: 4000 and 3000 are padded to 4000 and 3008 luma samples, 2000 and 1504 chroma samples.
    @Test func onlyAProgressiveJPEGIsHeldAsCoefficients() throws {
        #expect(try footprint(HeaderSamples.jpeg(frame: 0xC0, luma: 0x22)) < Self.slack)
        try expect(HeaderSamples.jpeg(frame: 0xC2, luma: 0x22), takes: 2 * (4_000 * 3_008 + 2 * 2_000 * 1_504))
        try expect(HeaderSamples.jpeg(frame: 0xC2, luma: 0x11), takes: 2 * 3 * 4_000 * 3_000)
    }

    @Test func aJPEGWhoseFirstScanLacksComponentsIsHeldToo() throws {
        let apart = HeaderSamples.jpeg(frame: 0xC0, luma: 0x22, componentsOfScan: 1)
        let progressive = HeaderSamples.jpeg(frame: 0xC2, luma: 0x22)
        #expect(try footprint(apart) == footprint(progressive))
    }

    @Test func aReductionDoesNotMakeCoefficientsFewer() throws {
        let progressive = HeaderSamples.jpeg(frame: 0xC2, luma: 0x22)
        #expect(try footprint(progressive, mode: .fast) >= 2 * (4_000 * 3_008 + 2 * 2_000 * 1_504))
    }

    @Test(arguments: DecodeMode.allCases)
    func aBaselineJPEGDoesNotGrowWithItsHeight(_ mode: DecodeMode) throws {
        let tall = HeaderSamples.jpeg(frame: 0xC0, luma: 0x22, width: 1_000, height: 64_000)
        let half = HeaderSamples.jpeg(frame: 0xC0, luma: 0x22, width: 1_000, height: 32_000)
        #expect(try footprint(tall, mode: mode) == footprint(half, mode: mode))
    }

    @Test(arguments: [0x00, 0xFF, 0x0F] as [UInt8])
    func takesAbsurdSamplingAsTheNearestPossible(_ luma: UInt8) throws {
        #expect(try footprint(HeaderSamples.jpeg(frame: 0xC2, luma: luma)) < 2 * 3 * 2 * Self.pixels)
    }

    // MARK: PNG

    /// Colour type, bit depth, and how many bytes a pixel has once it is unpacked (W3C PNG, 11.2.1).
    @Test(arguments: [(0, 1, 1), (0, 16, 2), (2, 8, 3), (2, 16, 6), (3, 4, 3), (4, 8, 2), (6, 8, 4), (6, 16, 8)])
    func anInterlacedPNGIsHeldWhole(_ colorType: UInt8, _ depth: UInt8, _ bytesPerPixel: Int) throws {
        try expect(
            HeaderSamples.png(depth: depth, colorType: colorType, interlace: 1), takes: bytesPerPixel * Self.pixels)
    }

    @Test func transparencyOfAPaletteIsABandMore() throws {
        let opaque = try footprint(HeaderSamples.png(depth: 8, colorType: 3, interlace: 1))
        let transparent = try footprint(HeaderSamples.png(depth: 8, colorType: 3, interlace: 1, chunk: ("tRNS", 1)))
        #expect((Self.pixels..<Self.pixels + 100_000).contains(transparent - opaque))
    }

    @Test func otherPNGsAreHeldInRows() throws {
        let rows = try footprint(HeaderSamples.png(depth: 8, colorType: 2, interlace: 0))
        #expect((576 * 3 * Self.width..<700 * 3 * Self.width + Self.slack).contains(rows))
        let twiceAsTall = HeaderSamples.png(depth: 8, colorType: 2, interlace: 0, height: 2 * Self.height)
        #expect(try footprint(twiceAsTall) <= rows + 100_000)
    }

    /// The decoder is not given them.
    @Test(arguments: ["tEXt", "zTXt", "iTXt", "iCCP", "eXIf"])
    func textsAndProfilesOfAPNGTakeNothing(_ type: String) throws {
        let plain = try footprint(HeaderSamples.png(depth: 8, colorType: 2, interlace: 0))
        let described = HeaderSamples.png(depth: 8, colorType: 2, interlace: 0, chunk: (type, 7_000))
        #expect(try footprint(described) == plain)
    }

    // MARK: WebP, GIF, TIFF

    @Test func aWebPIsHeldInPlanes() throws {
        try expect(HeaderSamples.webp("VP8 "), takes: 4 * Self.pixels)
        // And three values of four bytes for each 16 pixels.
        try expect(HeaderSamples.webp("VP8L"), takes: 8 * Self.pixels + 3 * 4 * Self.pixels / 16)
        try expect(HeaderSamples.extendedWebP(flags: 0x10, chunks: ["ALPH", "VP8 "]), takes: 9 * Self.pixels)
        try expect(HeaderSamples.extendedWebP(flags: 0x10, chunks: ["VP8 "]), takes: 4 * Self.pixels)
        try expect(
            HeaderSamples.extendedWebP(flags: 0x10, chunks: ["VP8L"]), takes: 8 * Self.pixels + 3 * 4 * Self.pixels / 16
        )
        let animated = try footprint(HeaderSamples.extendedWebP(flags: 0x02, chunks: ["ANIM", "ANMF"]))
        #expect(animated >= 8 * Self.pixels + 576 * 4 * Self.width)
    }

    /// EXIF, XMP and profiles are cut away.
    @Test func ofAnAnimatedWebPTheFirstFrameIsCopied() throws {
        let animated = HeaderSamples.extendedWebP(flags: 0x02, chunks: ["ANIM"])
        let frame = HeaderSamples.extendedWebP(flags: 0x02, chunks: ["ANIM"], longest: ("ANMF", 70_000))
        let secondFrame = HeaderSamples.extendedWebP(flags: 0x02, chunks: ["ANMF"], longest: ("ANMF", 70_000))
        let described = HeaderSamples.extendedWebP(flags: 0x2E, chunks: ["ANMF"], longest: ("EXIF", 70_000))
        #expect(try footprint(frame) == footprint(animated) + 70_000)
        #expect(try footprint(secondFrame) == footprint(animated) + 16)
        #expect(try footprint(described) == footprint(animated) + 16)
    }

    @Test func aGIFIsHeldAsItsFirstFrame() throws {
        let rows = 576 * 4 * Self.width
        let plain = HeaderSamples.gif(controlFlags: 0)
        #expect((4 * Self.pixels + rows..<4 * Self.pixels + rows + 2 * Self.slack).contains(try footprint(plain)))
        // Only the copy of the file differs; nothing has to be put back after a frame that no other follows.
        #expect(try footprint(HeaderSamples.gif(controlFlags: 3 << 2)) == footprint(plain))
        #expect(try footprint(plain + [UInt8](repeating: 0, count: 50_000)) == footprint(plain) + 50_000)
        let quarter = HeaderSamples.gif(controlFlags: 0, frameWidth: Self.width / 4)
        #expect(try footprint(quarter) < Self.pixels + rows / 4 + 2 * Self.slack)
        #expect(try footprint(HeaderSamples.gif(controlFlags: 0, frameWidth: 0)) > 0)
    }

    private static let rowsPerStrip = 278
    private static let compression = 259

    @Test func aTIFFIsHeldInPieces() throws {
        let strips = try footprint(HeaderSamples.tiff([Self.rowsPerStrip: 16]))
        #expect((576 * 3 * Self.width..<700 * 3 * Self.width + Self.slack).contains(strips))
        // A picture in a picture format may be unpacked only as a whole.
        let jpeg = try footprint(HeaderSamples.tiff([Self.rowsPerStrip: Self.height, Self.compression: 7]))
        #expect(jpeg >= 2 * 3 * Self.pixels)
        // Planes apart: the plane, and all of them together.
        let planes = try footprint(HeaderSamples.tiff([Self.rowsPerStrip: Self.height, 284: 2]))
        #expect(planes >= 4 * Self.pixels)
        let tiles = try footprint(HeaderSamples.tiff([322: 512, 323: 512]))
        #expect((2 * 512 * 3 * Self.width..<3 * 512 * 3 * Self.width + Self.slack).contains(tiles))
    }

    @Test func absurdHeadersDoNotOverflow() throws {
        let most = 0xFFFF_FFFF
        let bands = 277
        let bits = 258
        #expect(try footprint(HeaderSamples.tiff([322: most, 323: most, bands: most, bits: most])) == .max)
        #expect(try footprint(HeaderSamples.tiff([Self.rowsPerStrip: most, bands: most, bits: most])) > 0)
        #expect(try footprint(HeaderSamples.tiff([322: 0, 323: 0, bands: 0, bits: 0])) > 0)
    }

    // MARK: The pipeline

    /// The bound is computed without the weights; here are the weights.
    @Test(
        arguments: Interpolation.allCases, [(1, 256), (255, 256), (300, 256), (4_000, 256), (60_000, 224), (9, 4_096)])
    func boundsWhatTheWeightsAre(_ interpolation: Interpolation, _ sides: (source: Int, output: Int)) {
        let window = sides.output / 3..<sides.output / 3 + min(sides.output / 2, 224)
        let weights = AxisWeights(
            inputCount: sides.source, inputLength: Double(sides.source), outputCount: sides.output, window: window,
            interpolation: interpolation)
        let bound = AxisExtent(
            side: sides.source, reduction: .none, outputCount: sides.output, window: window.count,
            interpolation: interpolation)
        #expect(weights.entries.count == bound.window)
        #expect(weights.inputRange.count <= bound.inputCount)
        #expect(weights.stride <= AxisWeights.padded(bound.weightCount))
        let open = weights.entries.map { entry in
            weights.entries.count { $0.first <= entry.first && entry.first < $0.end }
        }
        #expect((open.max() ?? 0) <= bound.openEntries)
    }

    @Test func stopsAtTheLargestNumber() {
        let most = ByteCount(.max)
        #expect(most + 1 == most)
        #expect(most * 2 == most)
        #expect(most.roundedUp(to: 4_096) == most)
        #expect(ByteCount(-1) == 0)
        #expect(ByteCount(17).roundedUp(to: 8) == 24)
        #expect(ByteCount(16).roundedUp(to: 8) == 16)
    }
}
