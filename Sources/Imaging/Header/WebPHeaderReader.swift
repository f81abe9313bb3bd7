/// Reads the canvas size and the metadata of a WebP (RFC 9649, section 2).
struct WebPHeaderReader {
    private static let firstChunk = 12
    private static let exifFlag = 0x08
    private static let xmpFlag = 0x04

    private let reader: ByteReader

    init(_ bytes: [UInt8]) {
        reader = ByteReader(bytes, order: .littleEndian)
    }

    func read() throws(ImagingError) -> ImageHeader {
        guard let type = reader.slice(at: Self.firstChunk, length: 4) else { throw endsEarly }
        switch String(decoding: type, as: UTF8.self) {
        case "VP8 ": return try lossy()
        case "VP8L": return try lossless()
        case "VP8X": return try extended()
        default: throw broken("the first chunk is neither VP8, VP8L nor VP8X", at: Self.firstChunk)
        }
    }

    /// RFC 6386, section 9.1: a start code and two sizes of 14 bits.
    private func lossy() throws(ImagingError) -> ImageHeader {
        guard let startCode = reader.integer24(at: 23), let width = reader.integer16(at: 26),
            let height = reader.integer16(at: 28)
        else { throw endsEarly }
        guard startCode == 0x2A_01_9D else { throw broken("there is no VP8 start code", at: 23) }
        return ImageHeader(format: .webp, width: width & 0x3FFF, height: height & 0x3FFF)
    }

    /// RFC 9649, section 3.4: a signature and two sizes of 14 bits, each less one.
    private func lossless() throws(ImagingError) -> ImageHeader {
        guard let signature = reader.byte(at: 20), let sizes = reader.integer32(at: 21) else { throw endsEarly }
        guard signature == 0x2F else { throw broken("there is no VP8L signature", at: 20) }
        return ImageHeader(format: .webp, width: sizes & 0x3FFF + 1, height: sizes >> 14 & 0x3FFF + 1)
    }

    /// RFC 9649, section 2.7: flags and two canvas sizes of 24 bits, each less one.
    private func extended() throws(ImagingError) -> ImageHeader {
        guard let flags = reader.byte(at: 20), let width = reader.integer24(at: 24),
            let height = reader.integer24(at: 27)
        else { throw endsEarly }
        return ImageHeader(
            format: .webp, width: width + 1, height: height + 1, orientation: orientation(flags: flags))
    }

    /// A metadata chunk counts only if its flag announces it.
    private func orientation(flags: Int) -> Orientation {
        var exif: ArraySlice<UInt8>?
        var xmp: ArraySlice<UInt8>?
        var offset = Self.firstChunk
        var chunks = 0
        while chunks < HeaderLimits.maximumBlocks, let type = reader.slice(at: offset, length: 4),
            let length = reader.integer32(at: offset + 4),
            let data = reader.slice(at: offset + 8, length: length)
        {
            chunks += 1
            if flags & Self.exifFlag != 0, type.elementsEqual("EXIF".utf8) {
                exif = exif ?? data
            } else if flags & Self.xmpFlag != 0, type.elementsEqual("XMP ".utf8) {
                xmp = xmp ?? data
            }
            // Chunks are padded to an even length.
            offset += 8 + length + length % 2
        }
        return OrientationReader.read(exif: exif, xmp: xmp)
    }

    private var endsEarly: ImagingError { broken("the header ends early", at: reader.count) }

    private func broken(_ what: String, at offset: Int) -> ImagingError {
        .broken(format: .webp, what: what, where: "at byte \(offset)")
    }
}
