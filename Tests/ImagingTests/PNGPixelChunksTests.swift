import Scheduling
import Testing

@testable import Imaging

@Suite("What a PNG's decoder is given")
struct PNGPixelChunksTests {
    private static let header = PNGChunk(type: "IHDR", content: [UInt8](repeating: 1, count: 13))
    private static let palette = PNGChunk(type: "PLTE", content: [1, 2, 3])
    private static let transparency = PNGChunk(type: "tRNS", content: [4])
    private static let pixels = [PNGChunk(type: "IDAT", content: [5, 6]), PNGChunk(type: "IDAT", content: [7])]
    private static let end = PNGChunk(type: "IEND")
    private static let needed = [header, palette, transparency] + pixels + [end]

    private static func given(_ file: [UInt8]) throws -> [UInt8] {
        try PNGPixelChunks(file).input.withPieces { pieces in
            pieces.flatMap { UnsafeBufferPointer(start: $0.bytes, count: $0.count) }
        }
    }

    @Test func isAWholeFile() throws {
        #expect(try Self.given(PNGChunk.file(Self.needed)) == PNGChunk.file(Self.needed))
    }

    @Test(arguments: ["tEXt", "zTXt", "iTXt", "eXIf", "iCCP", "gAMA", "sBIT", "pHYs", "acTL", "abCd"])
    func isNothingThatChangesNoPixel(_ type: String) throws {
        let text = PNGChunk(type: type, content: [UInt8](repeating: 9, count: 300))
        let file = PNGChunk.file(
            [Self.header, text, Self.palette, text, Self.transparency, text] + Self.pixels + [text, Self.end, text])
        #expect(try Self.given(file) == PNGChunk.file(Self.needed))
    }

    /// The decoder refuses them; it isn't ours to make a picture of them.
    @Test func isWhatNobodyKnows() throws {
        let file = PNGChunk.file([Self.header, PNGChunk(type: "ABCD", content: [1])] + Self.pixels + [Self.end])
        #expect(try Self.given(file) == file)
        let nameless = PNGChunk.file(
            [Self.header, PNGChunk(type: "t1 \u{7}", content: [1])] + Self.pixels + [Self.end])
        #expect(try Self.given(nameless) == nameless)
    }

    @Test func breaksOffWhereTheFileDoes() throws {
        let text = PNGChunk(type: "tEXt", content: [1, 2, 3])
        let whole = PNGChunk.file([Self.header, text] + Self.pixels)
        let given = PNGChunk.file([Self.header] + Self.pixels)
        for missing in 1...5 {
            #expect(try Self.given(whole.dropLast(missing)) == given.dropLast(missing))
        }
        // Of the last chunk there is no more than its length and a part of its type.
        for missing in 6...13 {
            #expect(try Self.given(whole.dropLast(missing)) == given.dropLast(13) + Self.end.bytes)
        }
        let start = PNGChunk.file([Self.header]).count
        for length in start...start + text.bytes.count {
            #expect(try Self.given(Array(whole.prefix(length))) == Array(given.prefix(start)))
        }
        #expect(try Self.given(whole) == given + Self.end.bytes)
    }

    @Test func endsWithTheFirstRunOfPixels() throws {
        let text = PNGChunk(type: "tEXt", content: [1])
        let file = PNGChunk.file([Self.header, Self.pixels[0], text, Self.pixels[1], Self.end])
        #expect(try Self.given(file) == PNGChunk.file([Self.header, Self.pixels[0], Self.end]))
    }

    @Test func isNotSearchedForWithoutEnd() throws {
        let texts = [PNGChunk](repeating: PNGChunk(type: "tEXt"), count: HeaderLimits.maximumBlocks)
        #expect(throws: ImagingError.self) { try PNGPixelChunks(PNGChunk.file([Self.header] + texts + Self.pixels)) }
        let many = PNGChunk.file([Self.header] + texts.dropFirst() + Self.pixels + texts)
        #expect(try Self.given(many) == PNGChunk.file([Self.header] + Self.pixels + [Self.end]))
    }

    // MARK: With libvips

    private static let preparation = Result {
        try Preparation(
            resize: .exact(width: 40, height: 24), cropWidth: 40, cropHeight: 24, interpolation: .bicubic, mode: .exact)
    }

    private static func decode(_ file: [UInt8]) throws -> [UInt8] {
        try ImagePreparer.prepare(file, preparation: preparation.get(), cancellation: CancellationFlag()).pixels
    }

    @Test(arguments: ["png-rgb", "png-palette-transparent", "png-interlaced"])
    func decodesPicturesWithLongTexts(_ kind: String) throws {
        let picture = try PillowReference.picture(kind, width: 40, height: 24)
        let texts = ["tEXt", "eXIf", "iTXt"].map {
            PNGChunk(type: $0, content: [UInt8](repeating: 0x4D, count: 300_000))
        }
        var chunks = PNGChunk.chunks(of: picture)
        chunks.insert(contentsOf: texts, at: 1)
        chunks.insert(contentsOf: texts, at: chunks.count - 1)
        #expect(try Self.decode(PNGChunk.file(chunks)) == Self.decode(picture))
    }

    @Test func refusesPixelsWithAGap() throws {
        let picture = try PillowReference.picture("png-rgb", width: 40, height: 24)
        let chunks = PNGChunk.chunks(of: picture).flatMap { chunk in
            guard chunk.type == "IDAT" else { return [chunk] }
            let half = chunk.content.count / 2
            return [
                PNGChunk(type: "IDAT", content: Array(chunk.content[..<half])),
                PNGChunk(type: "tEXt", content: [65, 0]),
                PNGChunk(type: "IDAT", content: Array(chunk.content[half...])),
            ]
        }
        #expect(throws: ImagingError.self) { try Self.decode(PNGChunk.file(chunks)) }
        let together = chunks.filter { $0.type != "tEXt" }
        #expect(try Self.decode(PNGChunk.file(together)) == Self.decode(picture))
    }

    @Test func refusesADamagedChecksum() throws {
        var picture = try PillowReference.picture("png-rgb", width: 40, height: 24)
        picture[picture.count - 13] ^= 1
        #expect(throws: ImagingError.self) { try Self.decode(picture) }
    }
}
