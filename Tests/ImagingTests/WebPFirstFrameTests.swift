import Testing

@testable import Imaging

@Suite("What an animated WebP's decoder is given")
struct WebPFirstFrameTests {
    private static func littleEndian(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + littleEndian(content.count, 4) + content + (content.count % 2 == 0 ? [] : [0])
    }

    private static func file(_ chunks: [[UInt8]]) -> [UInt8] {
        let content = Array("WEBP".utf8) + chunks.flatMap(\.self)
        return Array("RIFF".utf8) + littleEndian(content.count, 4) + content
    }

    private static func header(flags: UInt8) -> [UInt8] { chunk("VP8X", [flags, 0, 0, 0, 9, 0, 0, 9, 0, 0]) }

    private static let animation = chunk("ANIM", [1, 2, 3, 4, 0, 0])
    private static let firstFrame = chunk("ANMF", [UInt8](repeating: 5, count: 31))
    private static let whole = file([
        header(flags: 0x3E), chunk("ICCP", [1, 2, 3]), animation, firstFrame, chunk("ANMF", [6, 6]),
        chunk("EXIF", [UInt8](repeating: 7, count: 999)), chunk("XMP ", [8]),
    ])

    /// Profile (0x20), EXIF (0x08) and XMP (0x04) are announced no more; alpha (0x10) and animation (0x02) are.
    @Test func isTheFirstFrameAndWhatIsSaidOfIt() throws {
        let expected = Self.file([Self.header(flags: 0x12), Self.animation, Self.firstFrame])
        #expect(try WebPFirstFrame(Self.whole).bytes == expected)
        #expect(try WebPFirstFrame(Self.whole + [1, 2, 3]).bytes == expected)
    }

    @Test func isNothingOfAFileThatBreaksOff() {
        for length in 0..<Self.whole.count {
            #expect(throws: ImagingError.self) { try WebPFirstFrame(Array(Self.whole.prefix(length))) }
        }
    }

    @Test func isNothingWithoutAFrame() {
        #expect(throws: ImagingError.self) {
            try WebPFirstFrame(Self.file([Self.header(flags: 2), Self.animation, Self.chunk("EXIF", [1])]))
        }
    }
}
