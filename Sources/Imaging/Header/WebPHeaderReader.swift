/// Reads the canvas size and the metadata of a WebP (RFC 9649, section 2).
struct WebPHeaderReader {
    private static let firstChunk = 12
    private static let exifFlag = 0x08
    private static let xmpFlag = 0x04
    private static let animationFlag = 0x02

    private struct Chunks {
        var exif: ArraySlice<UInt8>?
        var xmp: ArraySlice<UInt8>?
        var hasAlpha = false
        var storage: WebPStorage?
        var animationFrameBytes: Int?

        /// The first of several counts, and metadata only if its flag announces it.
        mutating func take(_ data: ArraySlice<UInt8>, type: String, flags: Int) {
            switch type {
            case "EXIF" where flags & exifFlag != 0: exif = exif ?? data
            case "XMP " where flags & xmpFlag != 0: xmp = xmp ?? data
            case "ALPH": hasAlpha = true
            case "ANMF": animationFrameBytes = animationFrameBytes ?? data.count
            case "VP8 ": storage = storage ?? (hasAlpha ? .lossyWithAlpha : .lossy)
            case "VP8L": storage = storage ?? .lossless
            default: break
            }
        }
    }

    private let reader: ByteReader

    init(_ bytes: [UInt8]) {
        reader = ByteReader(bytes, order: .littleEndian)
    }

    func read() throws(ImagingError) -> HeaderAnnouncement {
        guard let type = reader.slice(at: Self.firstChunk, length: 4) else { throw endsEarly }
        switch String(decoding: type, as: UTF8.self) {
        case "VP8 ": return try lossy()
        case "VP8L": return try lossless()
        case "VP8X": return try extended()
        default: throw broken("the first chunk is neither VP8, VP8L nor VP8X", at: Self.firstChunk)
        }
    }

    /// RFC 6386, section 9.1: a start code and two sizes of 14 bits.
    private func lossy() throws(ImagingError) -> HeaderAnnouncement {
        guard let startCode = reader.integer24(at: 23), let width = reader.integer16(at: 26),
            let height = reader.integer16(at: 28)
        else { throw endsEarly }
        guard startCode == 0x2A_01_9D else { throw broken("there is no VP8 start code", at: 23) }
        return announcement(width: width & 0x3FFF, height: height & 0x3FFF, storage: .lossy)
    }

    /// RFC 9649, section 3.4: a signature and two sizes of 14 bits, each less one.
    private func lossless() throws(ImagingError) -> HeaderAnnouncement {
        guard let signature = reader.byte(at: 20), let sizes = reader.integer32(at: 21) else { throw endsEarly }
        guard signature == 0x2F else { throw broken("there is no VP8L signature", at: 20) }
        return announcement(width: sizes & 0x3FFF + 1, height: sizes >> 14 & 0x3FFF + 1, storage: .lossless)
    }

    /// RFC 9649, section 2.7: flags and two canvas sizes of 24 bits, each less one.
    private func extended() throws(ImagingError) -> HeaderAnnouncement {
        guard let flags = reader.byte(at: 20), let width = reader.integer24(at: 24),
            let height = reader.integer24(at: 27)
        else { throw endsEarly }
        let chunks = walkChunks(flags: flags)
        return announcement(
            width: width + 1, height: height + 1,
            orientation: OrientationReader.read(exif: chunks.exif, xmp: chunks.xmp),
            // Where no picture is found, the decoder finds none either; the costliest is a safe guess.
            storage: flags & Self.animationFlag != 0
                ? .animated(frameBytes: chunks.animationFrameBytes ?? 0) : chunks.storage ?? .lossyWithAlpha)
    }

    private func walkChunks(flags: Int) -> Chunks {
        var found = Chunks()
        var offset = Self.firstChunk
        var chunks = 0
        while chunks < HeaderLimits.maximumBlocks, let type = reader.slice(at: offset, length: 4),
            let length = reader.integer32(at: offset + 4),
            let data = reader.slice(at: offset + 8, length: length)
        {
            chunks += 1
            found.take(data, type: String(decoding: type, as: UTF8.self), flags: flags)
            // Chunks are padded to an even length.
            offset += 8 + length + length % 2
        }
        return found
    }

    private func announcement(
        width: Int, height: Int, orientation: Orientation = .upright, storage: WebPStorage
    ) -> HeaderAnnouncement {
        HeaderAnnouncement(
            header: ImageHeader(format: .webp, width: width, height: height, orientation: orientation),
            storage: .webp(storage))
    }

    private var endsEarly: ImagingError { broken("the header ends early", at: reader.count) }

    private func broken(_ what: String, at offset: Int) -> ImagingError {
        .broken(format: .webp, what: what, where: "at byte \(offset)")
    }
}
