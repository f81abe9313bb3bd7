/// The parts of a PNG that decide what its pixels are (W3C PNG, third edition, sections 5.3 and 11).
///
/// libpng and libvips keep several copies of every text, profile and EXIF block, and look at each of them, for nothing:
/// the header reader has read what matters. So the decoder is given a PNG without them. Those that tell how colours are
/// meant (gAMA, cHRM, iCCP, sBIT) change no pixel either, as in Pillow.
struct PNGPixelChunks {
    /// The chunk that ends a PNG.
    private static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    private static let signatureLength = 8
    /// The lengths of a chunk's length, type and checksum fields.
    private static let chunkOverhead = 12

    private let bytes: [UInt8]
    /// What to read of the file, in ascending order.
    private var ranges: [Range<Int>] = []
    /// Whether the pixels are there to their last chunk.
    private var isComplete = false

    /// - Throws: ``ImagingError/broken(format:what:where:)`` if there are more chunks before the pixels than any
    ///   picture has; all other damage is left to the decoder.
    init(_ bytes: [UInt8]) throws(ImagingError) {
        self.bytes = bytes
        let reader = ByteReader(bytes, order: .bigEndian)
        var offset = Self.signatureLength
        var chunksBeforePixels = 0
        var reachedPixels = false
        keep(0..<min(offset, bytes.count))
        while let length = reader.integer32(at: offset), let type = reader.slice(at: offset + 4, length: 4) {
            let isPixels = type.elementsEqual("IDAT".utf8)
            // Pixel chunks follow each other without a gap.
            if reachedPixels, !isPixels { break }
            reachedPixels = isPixels
            if !isPixels { chunksBeforePixels += 1 }
            guard chunksBeforePixels <= HeaderLimits.maximumBlocks else { throw Self.tooManyChunks(at: offset) }
            let next = offset + length + Self.chunkOverhead
            if Self.isNeeded(type) { keep(offset..<min(next, bytes.count)) }
            guard next <= bytes.count else { return }
            offset = next
        }
        isComplete = reachedPixels
    }

    /// The PNG that the decoder is given. What follows on the pixels makes no difference and is not looked at; a file
    /// that breaks off before their end does so for the decoder too.
    var input: VipsInput { VipsInput(bytes, ranges: ranges, ending: isComplete ? Self.end : []) }

    private mutating func keep(_ range: Range<Int>) {
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }

    private static func tooManyChunks(at offset: Int) -> ImagingError {
        .broken(
            format: .png, what: "more than \(HeaderLimits.maximumBlocks) chunks before the pixels",
            where: "at byte \(offset)")
    }

    /// All critical chunks, whose names begin with a capital, be they known or not; and the transparency of a palette
    /// or of a colour. What is no name is the decoder's to complain about.
    private static func isNeeded(_ type: ArraySlice<UInt8>) -> Bool {
        let isName = type.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
        let isCritical = type.first.map { $0 & 0x20 == 0 } ?? false
        return !isName || isCritical || type.elementsEqual("tRNS".utf8)
    }
}
