import Testing

@testable import Imaging

@Suite("Texts of a PNG")
struct PNGTextTests {
    private static func text(_ type: String, _ keyword: String, _ content: [UInt8]) -> PNGText? {
        PNGText((Array(keyword.utf8) + [0] + content)[...], type: type)
    }

    private static let exif = "Raw profile type exif"
    private static let xmp = "XML:com.adobe.xmp"
    /// `hello` by Python's `zlib.compress`.
    private static let hello: [UInt8] = [0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 6, 0x2C, 2, 0x15]

    @Test func areFoundByTheirKeyword() {
        #expect(Self.text("tEXt", Self.exif, [])?.subject == .exifProfile)
        #expect(Self.text("tEXt", Self.xmp, [])?.subject == .xmp)
        #expect(Self.text("tEXt", "Raw profile type exif2", []) == nil)
        #expect(Self.text("tEXt", "Comment", []) == nil)
        #expect(Self.text("iCCP", Self.xmp, []) == nil)
    }

    @Test func areUnpacked() {
        #expect(Self.text("tEXt", Self.xmp, Array("hello".utf8))?.unpacked() == Array("hello".utf8)[...])
        #expect(Self.text("zTXt", Self.xmp, [0] + Self.hello)?.unpacked() == Array("hello".utf8)[...])
        #expect(Self.text("iTXt", Self.xmp, [0, 0, 0x65, 0, 0] + "hello".utf8)?.unpacked() == Array("hello".utf8)[...])
        #expect(Self.text("iTXt", Self.xmp, [1, 0, 0x65, 0, 0] + Self.hello)?.unpacked() == Array("hello".utf8)[...])
    }

    @Test func areNothingIfDamaged() {
        for length in 0..<Self.hello.count {
            let text = Self.text("zTXt", Self.xmp, [0] + Self.hello.prefix(length))
            #expect(text != nil && text?.unpacked() == nil)
        }
        // Unknown methods of compression, and no end of the language.
        #expect(Self.text("zTXt", Self.xmp, [1] + Self.hello) == nil)
        #expect(Self.text("zTXt", Self.xmp, []) == nil)
        #expect(Self.text("iTXt", Self.xmp, [1, 1, 0, 0] + Self.hello) == nil)
        #expect(Self.text("iTXt", Self.xmp, [0, 0, 0x65, 0]) == nil)
        #expect(Self.text("iTXt", Self.xmp, []) == nil)
    }

    @Test func holdAnEXIFBlockInDigits() {
        let block = { (content: String) in
            Self.text("tEXt", Self.exif, Array(content.utf8))?.exifBlock().map(Array.init)
        }
        #expect(block("\nexif\n    3\n4d4D\n00\n") == [0x4D, 0x4D, 0])
        #expect(block("\nexif\n    3\n") == [])
        #expect(block("\nexif\n    3") == nil)
        #expect(block("\nexif\n    3\n4x") == nil)
    }

    /// 10 MB of zeros.
    @Test func areUnpackedNoFurtherThanTheLimit() throws {
        let bomb = try PillowReference.picture("png-text-bomb", width: 1, height: 1)
        let chunk = try #require(PNGChunk.chunks(of: bomb).first { $0.type == "zTXt" })
        let text = try #require(PNGText(chunk.content[...], type: chunk.type))
        #expect(text.unpacked()?.count == HeaderLimits.inflatedTextBytes)
    }

    /// Empty blocks of deflate (RFC 1951 section 3.2.3) make nothing, and still take time. A text behind more of them
    /// than a whole one is long isn't found.
    @Test func blocksThatPackNothingAreNotFollowedForLong() {
        let packed = HeaderLimits.packedTextBytes
        func text(behind blocks: Int) -> ArraySlice<UInt8>? {
            // Stored blocks without content are the shortest that end on a byte.
            let empty: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
            let stream =
                [0x78, 0x9C] + [[UInt8]](repeating: empty, count: blocks).joined() + Self.hello.dropFirst(2)
            return Self.text("zTXt", Self.xmp, [0] + stream)?.unpacked()
        }
        #expect(text(behind: 100) == Array("hello".utf8)[...])
        #expect(text(behind: packed / 5) == nil)
    }
}
