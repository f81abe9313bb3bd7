/// Reads IHDR and the metadata chunks of a PNG (W3C PNG, third edition, section 11).
struct PNGHeaderReader {
    private static let signatureLength = 8
    /// The lengths of a chunk's length, type and checksum fields.
    private static let chunkOverhead = 12

    private let reader: ByteReader

    init(_ bytes: [UInt8]) {
        reader = ByteReader(bytes, order: .bigEndian)
    }

    func read() throws(ImagingError) -> ImageHeader {
        guard let type = reader.slice(at: 12, length: 4), let width = reader.integer32(at: 16),
            let height = reader.integer32(at: 20)
        else { throw broken("the header ends early", at: reader.count) }
        guard type.elementsEqual("IHDR".utf8) else { throw broken("the first chunk is not IHDR", at: 12) }
        return ImageHeader(format: .png, width: width, height: height, orientation: orientation())
    }

    /// EXIF and XMP may stand before or behind the pixels.
    private func orientation() -> Orientation {
        var exif: ArraySlice<UInt8>?
        var xmp: ArraySlice<UInt8>?
        var offset = Self.signatureLength
        var chunks = 0
        while chunks < HeaderLimits.maximumBlocks, let length = reader.integer32(at: offset),
            let type = reader.slice(at: offset + 4, length: 4),
            let data = reader.slice(at: offset + 8, length: length)
        {
            chunks += 1
            if type.elementsEqual("eXIf".utf8) {
                exif = data
            } else if type.elementsEqual("iTXt".utf8), data.starts(with: "XML:com.adobe.xmp".utf8) {
                xmp = data
            }
            offset += length + Self.chunkOverhead
        }
        return OrientationReader.read(exif: exif, xmp: xmp)
    }

    private func broken(_ what: String, at offset: Int) -> ImagingError {
        .broken(format: .png, what: what, where: "at byte \(offset)")
    }
}
