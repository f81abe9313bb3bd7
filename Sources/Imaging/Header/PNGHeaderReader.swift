/// Reads IHDR and the metadata chunks of a PNG (W3C PNG, third edition, section 11).
struct PNGHeaderReader {
    private static let signatureLength = 8
    /// The lengths of a chunk's length, type and checksum fields.
    private static let chunkOverhead = 12

    private enum ColorType: Int {
        case grey = 0
        case trueColor = 2
        case palette = 3
        case greyWithAlpha = 4
        case trueColorWithAlpha = 6

        /// A palette is unpacked to its colours.
        var bands: Int {
            switch self {
            case .grey: 1
            case .greyWithAlpha: 2
            case .trueColor, .palette: 3
            case .trueColorWithAlpha: 4
            }
        }
    }

    private struct Chunks {
        var exif: ArraySlice<UInt8>?
        /// The last of several counts, as for all of them.
        var exifProfile: PNGText?
        var xmp: PNGText?
        var hasTransparency = false

        mutating func take(_ data: ArraySlice<UInt8>, type: String) {
            switch type {
            case "tRNS":
                hasTransparency = true
            case "eXIf":
                exif = data
            case "tEXt", "zTXt", "iTXt":
                guard let text = PNGText(data, type: type) else { return }
                switch text.subject {
                case .exifProfile: exifProfile = text
                case .xmp: xmp = text
                }
            default:
                break
            }
        }

        /// A chunk of its own goes before a profile in a text.
        var orientation: Orientation {
            OrientationReader.read(exif: exif ?? exifProfile?.exifBlock(), xmp: xmp?.unpacked())
        }
    }

    private let reader: ByteReader

    init(_ bytes: [UInt8]) {
        reader = ByteReader(bytes, order: .bigEndian)
    }

    func read() throws(ImagingError) -> HeaderAnnouncement {
        guard let type = reader.slice(at: 12, length: 4), let width = reader.integer32(at: 16),
            let height = reader.integer32(at: 20)
        else { throw broken("the header ends early", at: reader.count) }
        guard type.elementsEqual("IHDR".utf8) else { throw broken("the first chunk is not IHDR", at: 12) }
        let chunks = walkChunks()
        let colorType = reader.byte(at: 25).flatMap(ColorType.init) ?? .trueColorWithAlpha
        let storage = PNGStorage(
            bands: colorType.bands + (chunks.hasTransparency ? 1 : 0),
            bytesPerSample: reader.byte(at: 24) == 16 ? 2 : 1, isInterlaced: reader.byte(at: 28) != 0)
        return HeaderAnnouncement(
            header: ImageHeader(
                format: .png, width: width, height: height, orientation: chunks.orientation),
            storage: .png(storage))
    }

    /// EXIF and XMP may stand before or behind the pixels.
    private func walkChunks() -> Chunks {
        var found = Chunks()
        var offset = Self.signatureLength
        var chunks = 0
        while chunks < HeaderLimits.maximumBlocks, let length = reader.integer32(at: offset),
            let type = reader.slice(at: offset + 4, length: 4),
            let data = reader.slice(at: offset + 8, length: length)
        {
            chunks += 1
            found.take(data, type: String(decoding: type, as: UTF8.self))
            offset += length + Self.chunkOverhead
        }
        return found
    }

    private func broken(_ what: String, at offset: Int) -> ImagingError {
        .broken(format: .png, what: what, where: "at byte \(offset)")
    }
}
