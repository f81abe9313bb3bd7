/// Headers without pictures, of 4000 x 3000 pixels where nothing else is said.
enum HeaderSamples {
    private static let side = (width: 4_000, height: 3_000)

    private static func bigEndian(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func littleEndian(_ value: Int, _ width: Int) -> [UInt8] { bigEndian(value, width).reversed() }

    /// Three components; the two of chroma are not subsampled further than to 1 x 1.
    static func jpeg(
        frame: UInt8, luma: UInt8, componentsOfScan: UInt8 = 3, width: Int = side.width, height: Int = side.height
    ) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, frame, 0, 17, 8] + bigEndian(height, 2) + bigEndian(width, 2)
            + [3, 1, luma, 0, 2, 0x11, 0, 3, 0x11, 0] + [0xFF, 0xDA, 0, 6 + 2 * componentsOfScan, componentsOfScan]
            + [UInt8](repeating: 0, count: 16)
    }

    static func png(
        depth: UInt8, colorType: UInt8, interlace: UInt8, height: Int = side.height,
        chunk: (type: String, length: Int)? = nil
    ) -> [UInt8] {
        let header = Array("IHDR".utf8) + bigEndian(side.width, 4) + bigEndian(height, 4) + [depth, colorType, 0, 0]
        let start =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + bigEndian(13, 4) + header + [interlace, 0, 0, 0, 0]
        guard let chunk else { return start }
        return start + bigEndian(chunk.length, 4) + Array(chunk.type.utf8)
            + [UInt8](repeating: 0, count: chunk.length + 4)
    }

    /// - Parameter chunk: `VP8 ` or `VP8L`.
    static func webp(_ chunk: String) -> [UInt8] {
        Array("RIFF".utf8) + littleEndian(100, 4) + Array("WEBP".utf8) + frame(chunk)
    }

    /// - Parameter longest: The last chunk, of many zeros.
    static func extendedWebP(flags: UInt8, chunks: [String], longest: (type: String, length: Int)? = nil) -> [UInt8] {
        Array("RIFF".utf8) + littleEndian(200, 4) + Array("WEBPVP8X".utf8) + littleEndian(10, 4) + [flags, 0, 0, 0]
            + littleEndian(side.width - 1, 3) + littleEndian(side.height - 1, 3) + chunks.flatMap(frame)
            + (longest.map {
                Array($0.type.utf8) + littleEndian($0.length, 4) + [UInt8](repeating: 0, count: $0.length)
            }
                ?? [])
    }

    private static func frame(_ chunk: String) -> [UInt8] {
        let start: [UInt8] =
            switch chunk {
            case "VP8 ": [0, 0, 0, 0x9D, 0x01, 0x2A] + littleEndian(side.width, 2) + littleEndian(side.height, 2)
            case "VP8L": [0x2F] + littleEndian((side.width - 1) | (side.height - 1) << 14, 4)
            default: []
            }
        return Array(chunk.utf8) + littleEndian(16, 4) + start + [UInt8](repeating: 0, count: 16 - start.count)
    }

    /// A graphic control extension with those flags, and a frame as high as the screen.
    static func gif(controlFlags: UInt8, width: Int = side.width, frameWidth: Int = side.width) -> [UInt8] {
        Array("GIF89a".utf8) + littleEndian(width, 2) + littleEndian(side.height, 2) + [0, 0, 0]
            + [0x21, 0xF9, 4, controlFlags, 0, 0, 0, 0] + [0x2C, 0, 0, 0, 0] + littleEndian(frameWidth, 2)
            + littleEndian(side.height, 2) + [0, 2, 0]
    }

    /// Three bands of 8 bits, uncompressed.
    ///
    /// - Parameter fields: More fields, or other values for these, by tag.
    static func tiff(_ fields: [Int: Int]) -> [UInt8] {
        let standard = [256: side.width, 257: side.height, 258: 8, 259: 1, 262: 2, 277: 3]
        let all = standard.merging(fields) { $1 }.sorted { $0.key < $1.key }
        var bytes: [UInt8] = [0x4D, 0x4D, 0, 42]
        bytes += bigEndian(8, 4)
        bytes += bigEndian(all.count, 2)
        for (tag, value) in all {
            bytes += bigEndian(tag, 2)
            bytes += [0, 4]
            bytes += bigEndian(1, 4)
            bytes += bigEndian(value, 4)
        }
        return bytes + bigEndian(0, 4)
    }
}
