import Foundation
import Imaging
import Scheduling
import TestSupport
import Testing

/// Damaged files must be refused or decoded; nothing else may happen.
@Suite("Broken pictures")
struct BrokenPictureTests {
    private static let pictures = [
        "jpeg-420", "jpeg-progressive", "jpeg-cmyk", "jpeg-restarts", "png-rgb", "png-palette-transparent",
        "png-interlaced", "webp-lossy", "webp-lossless-alpha", "webp-animation-described", "gif", "gif-transparent",
        "gif-transparent-part", "tiff",
    ]
    private static let everything = DecodeLimits(maximumPixels: 1_000_000, enabledFormats: Set(ImageFormat.allCases))

    private static func preparation(_ mode: DecodeMode = .fast) throws -> Preparation {
        try Preparation(resize: .shorterSide(9), cropWidth: 8, cropHeight: 8, interpolation: .bicubic, mode: mode)
    }

    /// Whether it decodes; any error but an ``ImagingError`` fails the test.
    private static func decodes(_ bytes: [UInt8], mode: DecodeMode = .fast) throws -> Bool {
        do {
            _ = try ImagePreparer.prepare(
                bytes, preparation: preparation(mode), limits: everything, cancellation: CancellationFlag())
            return true
        } catch is ImagingError {
            return false
        }
    }

    @Test(arguments: pictures)
    func everyTruncationIsRefusedOrDecoded(_ picture: String) throws {
        let bytes = try PillowReference.picture(picture, width: 40, height: 24)
        #expect(try Self.decodes(bytes))
        let decoded = try (0..<bytes.count).filter { try Self.decodes(Array(bytes.prefix($0))) }
        // Only trailing bytes that carry no pixels may be missing.
        let firstWhole = decoded.first ?? bytes.count
        #expect(firstWhole > bytes.count * 3 / 4, "the first \(firstWhole) of \(bytes.count) bytes were enough")
    }

    @Test(arguments: pictures)
    func flippedBytesDoNoHarm(_ picture: String) throws {
        let bytes = try PillowReference.picture(picture, width: 40, height: 24)
        var random = SeededGenerator(seed: 1)
        for round in 0..<250 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try Self.decodes(damaged, mode: round % 2 == 0 ? .fast : .exact)
        }
    }

    @Test func saysWhereAJPEGEnds() throws {
        let bytes = try PillowReference.picture("jpeg-444", width: 64, height: 160)
        let half = Array(bytes.prefix(bytes.count / 2))
        let error = #expect(throws: ImagingError.self) {
            try ImagePreparer.prepare(half, preparation: Self.preparation(.exact), cancellation: CancellationFlag())
        }
        guard case .broken(.jpeg, let what, let place) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(what == "the data ends early")
        #expect(place.hasPrefix("after row ") && place.hasSuffix(" of 160"))
    }

    @Test func refusesAZipNamedJPG() throws {
        let zip: [UInt8] = [0x50, 0x4B, 3, 4] + [UInt8](repeating: 7, count: 100)
        let enabled: [ImageFormat] = [.jpeg, .png, .webp, .gif]
        #expect(throws: ImagingError.unsupported(found: .unsupported(.zip), enabled: enabled)) {
            try ImageFile(opening: zip)
        }
    }

    /// A scan can be a few bytes long and still cost a pass over the whole picture.
    @Test func refusesAProgressionWithoutEnd() throws {
        let bytes = try PillowReference.picture("jpeg-progressive", width: 40, height: 24)
        let lastScan = try #require(bytes.lastIndex(of: 0xDA)) - 1
        let scan = bytes[lastScan..<bytes.count - 2]
        var bomb = Array(bytes.dropLast(2))
        for _ in 0..<200 { bomb += scan }
        bomb += [0xFF, 0xD9]
        #expect(throws: ImagingError.broken(format: .jpeg, what: "more than 100 scans", where: "after scan 100")) {
            try ImagePreparer.prepare(
                bomb, preparation: Self.preparation(), cancellation: CancellationFlag())
        }
    }

    @Test func toleratesStrayBytesAsPillowDoes() throws {
        let bytes = try PillowReference.picture("jpeg-420", width: 40, height: 24)
        let app0 = Array(bytes[2..<4 + Int(bytes[5]) + 256 * Int(bytes[4])])
        #expect(try Self.decodes(Array(bytes[..<2]) + app0 + [0, 1, 2, 3] + bytes.dropFirst(2)))
        #expect(try Self.decodes(bytes + [UInt8](repeating: 0x55, count: 1_000)))
    }
}
