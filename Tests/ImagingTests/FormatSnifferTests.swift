import Imaging
import Testing

@Suite("Sniffing")
struct FormatSnifferTests {
    private static let pictures: [([UInt8], ImageFormat)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), .webp),
        (Array("GIF87a".utf8), .gif),
        (Array("GIF89a".utf8), .gif),
        ([0x49, 0x49, 0x2A, 0], .tiff),
        ([0x4D, 0x4D, 0, 0x2A], .tiff),
        ([0x49, 0x49, 0x2B, 0], .tiff),
    ]

    @Test(arguments: pictures)
    func knowsPictures(_ bytes: [UInt8], _ format: ImageFormat) {
        #expect(FormatSniffer.sniff(bytes) == .image(format))
    }

    private static func box(_ length: UInt8, _ text: String) -> [UInt8] {
        [0, 0, 0, length] + Array(text.utf8)
    }

    private static let others: [([UInt8], UnsupportedContent)] = [
        ([], .empty),
        (Array("BM\u{36}\u{3}\u{0}\u{0}".utf8), .bmp),
        (box(0x1C, "ftypavif\0\0\0\0mif1miaf"), .avif),
        (box(0x1C, "ftypmif1\0\0\0\0mif1avif"), .avif),
        (box(0x18, "ftypheic\0\0\0\0mif1heic"), .heic),
        (box(0x18, "ftypmp42\0\0\0\0isommp42"), .video),
        (box(0x14, "ftypqt  \0\0\0\0qt  "), .video),
        (Array("RIFF\u{1}\u{2}\u{3}\u{4}AVI LIST".utf8), .video),
        ([0x1A, 0x45, 0xDF, 0xA3], .video),
        ([0xFF, 0x0A, 0xFA], .jpegXL),
        ([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jpegXL),
        ([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jpeg2000),
        (Array("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- x -->\n<svg xmlns=".utf8), .svg),
        (Array("%PDF-1.7\n".utf8), .pdf),
        ([0x50, 0x4B, 3, 4, 20, 0], .zip),
        ([0x1F, 0x8B, 8, 0], .gzip),
        ([0, 0, 1, 0, 1, 0], .icon),
        (Array("8BPS\0\u{1}".utf8), .photoshop),
        (Array("  <!DOCTYPE html>\n<html>".utf8), .html),
        (Array("{\"error\": \"not found\"}".utf8), .text),
        (Array("naïve text — in UTF-8".utf8), .text),
        ([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], .unknown),
        ([0xFF, 0xD8], .unknown),
    ]

    @Test(arguments: others)
    func namesOtherContent(_ bytes: [UInt8], _ content: UnsupportedContent) {
        #expect(FormatSniffer.sniff(bytes) == .unsupported(content))
    }

    @Test func takesTextThatIsCutWithinACharacter() {
        let text = Array(String(repeating: "é", count: FormatSniffer.inspectedBytes).utf8)
        #expect(FormatSniffer.sniff([0x61] + text) == .unsupported(.text))
    }

    @Test func refusesWhatIsNotEnabled() throws {
        let tiff = try PillowReference.picture("tiff", width: 8, height: 8)
        #expect(throws: ImagingError.unsupported(found: .image(.tiff), enabled: [.jpeg, .png, .webp, .gif])) {
            try ImageFile(opening: tiff)
        }
        #expect(throws: ImagingError.unsupported(found: .unsupported(.pdf), enabled: [.jpeg])) {
            try ImageFile(opening: Array("%PDF-1.4".utf8), limits: DecodeLimits(enabledFormats: [.jpeg]))
        }
    }
}
