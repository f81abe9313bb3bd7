import Imaging
import TestSupport
import Testing

@Suite("Headers and limits")
struct ImageHeaderTests {
    private static func bigEndian(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func littleEndian(_ value: Int, _ width: Int) -> [UInt8] {
        bigEndian(value, width).reversed()
    }

    static func png(_ width: Int, _ height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + bigEndian(13, 4) + Array("IHDR".utf8)
            + bigEndian(width, 4) + bigEndian(height, 4) + [8, 2, 0, 0, 0, 0, 0, 0, 0]
    }

    static func gif(_ width: Int, _ height: Int, frame: (Int, Int)) -> [UInt8] {
        Array("GIF89a".utf8) + littleEndian(width, 2) + littleEndian(height, 2) + [0, 0, 0, 0x2C, 0, 0, 0, 0]
            + littleEndian(frame.0, 2) + littleEndian(frame.1, 2) + [0, 2, 0]
    }

    static func extendedWebP(_ width: Int, _ height: Int) -> [UInt8] {
        Array("RIFF".utf8) + littleEndian(22, 4) + Array("WEBPVP8X".utf8) + littleEndian(10, 4) + [0, 0, 0, 0]
            + littleEndian(width - 1, 3) + littleEndian(height - 1, 3)
    }

    static func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8] + bigEndian(height, 2) + bigEndian(width, 2) + [1, 1, 0x11, 0]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    }

    static func tiff(_ width: Int, _ height: Int) -> [UInt8] {
        [0x4D, 0x4D, 0, 42] + bigEndian(8, 4) + bigEndian(2, 2) + [1, 0, 0, 4] + bigEndian(1, 4)
            + bigEndian(width, 4) + [1, 1, 0, 4] + bigEndian(1, 4) + bigEndian(height, 4) + bigEndian(0, 4)
    }

    @Test(arguments: [
        png(60_000, 60_000), jpeg(60_000, 60_000), gif(60_000, 60_000, frame: (1, 1)),
        gif(1, 1, frame: (60_000, 60_000)), extendedWebP(60_000, 60_000), tiff(60_000, 60_000),
    ])
    func refusesTooManyPixels(_ bytes: [UInt8]) {
        let limits = DecodeLimits(enabledFormats: Set(ImageFormat.allCases))
        #expect(throws: ImagingError.tooManyPixels(width: 60_000, height: 60_000, limit: 64_000_000)) {
            try ImageFile(opening: bytes, limits: limits)
        }
    }

    @Test func takesExactlyAsManyPixelsAsAllowed() throws {
        let limits = DecodeLimits(maximumPixels: 200)
        #expect(try ImageFile(opening: Self.png(20, 10), limits: limits).header.pixelCount == 200)
        #expect(throws: ImagingError.tooManyPixels(width: 67, height: 3, limit: 200)) {
            try ImageFile(opening: Self.png(67, 3), limits: limits)
        }
    }

    @Test func refusesProductsThatOverflow() {
        let side = 0xFFFF_FFFF
        #expect(throws: ImagingError.tooManyPixels(width: side, height: side, limit: 64_000_000)) {
            try ImageFile(opening: Self.png(side, side))
        }
    }

    @Test func refusesAnEndlessRow() {
        #expect(throws: ImagingError.sideTooLong(width: 60_000_000, height: 1, limit: 65_535)) {
            try ImageFile(opening: Self.png(60_000_000, 1))
        }
    }

    @Test(arguments: [png(0, 5), png(5, 0), jpeg(5, 0), gif(0, 5, frame: (0, 0))])
    func refusesPicturesWithoutPixels(_ bytes: [UInt8]) {
        #expect(throws: ImagingError.self) { try ImageFile(opening: bytes) }
    }

    @Test(arguments: [
        "jpeg-420", "jpeg-progressive", "png-rgb", "webp-lossy", "webp-lossless", "webp-lossy-alpha", "gif", "tiff",
    ])
    func readsSizeAndOrientation(_ picture: String) throws {
        let orientation = picture == "gif" ? 1 : 6
        let bytes = try PillowReference.picture(picture, width: 37, height: 21, orientation: orientation)
        let limits = DecodeLimits(enabledFormats: Set(ImageFormat.allCases))
        let header = try ImageFile(opening: bytes, limits: limits).header
        #expect((header.width, header.height) == (37, 21))
        #expect(header.orientation.rawValue == orientation)
        #expect((header.uprightWidth, header.uprightHeight) == (orientation == 6 ? (21, 37) : (37, 21)))
    }

    @Test func takesMalformedEXIFAsUpright() throws {
        let jpeg = try PillowReference.picture("jpeg-420", width: 16, height: 16, orientation: 6)
        let marker = try #require(jpeg.firstRange(of: Array("Exif\0\0".utf8)))
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            var damaged = jpeg
            for _ in 0..<3 {
                damaged[marker.upperBound + Int.random(in: 0..<24, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            #expect(throws: Never.self) { try ImageFile(opening: damaged) }
        }
        var nonsense = jpeg
        nonsense[marker.upperBound] = 0
        #expect(try ImageFile(opening: nonsense).header.orientation == .upright)
    }
}
