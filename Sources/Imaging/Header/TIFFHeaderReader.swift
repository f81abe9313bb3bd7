/// Reads size, orientation and storage from the first directory of a TIFF.
struct TIFFHeaderReader {
    private enum Tag {
        static let imageWidth = 256
        static let imageLength = 257
        static let bitsPerSample = 258
        static let compression = 259
        static let photometricInterpretation = 262
        static let orientation = 274
        static let samplesPerPixel = 277
        static let rowsPerStrip = 278
        static let stripByteCounts = 279
        static let planarConfiguration = 284
        static let tileWidth = 322
        static let tileLength = 323
        static let tileByteCounts = 325
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func read() throws(ImagingError) -> HeaderAnnouncement {
        guard let directory = TIFFDirectory(bytes[...]) else {
            throw .broken(format: .tiff, what: "the first directory is missing", where: "in the header")
        }
        guard let width = directory.integer(tag: Tag.imageWidth),
            let height = directory.integer(tag: Tag.imageLength)
        else { throw .broken(format: .tiff, what: "the size is missing", where: "in the first directory") }
        let orientation = directory.integer(tag: Tag.orientation).flatMap(Orientation.init(rawValue:))
        return HeaderAnnouncement(
            header: ImageHeader(format: .tiff, width: width, height: height, orientation: orientation ?? .upright),
            storage: .tiff(storage(directory)))
    }

    private func storage(_ directory: TIFFDirectory) -> TIFFStorage {
        let isPalette = directory.integer(tag: Tag.photometricInterpretation) == Self.palette
        let bands = min(directory.integer(tag: Tag.samplesPerPixel) ?? 1, Self.mostOfShort)
        let bitsPerSample = min(directory.integer(tag: Tag.bitsPerSample) ?? 1, Self.mostOfShort)
        return TIFFStorage(
            piece: piece(directory), compression: compression(directory),
            bands: isPalette ? max(bands, 3) : bands, bytesPerSample: (bitsPerSample + 7) / 8,
            isPlanar: directory.integer(tag: Tag.planarConfiguration) == Self.planar,
            longestPieceBytes: longestPieceBytes(directory))
    }

    private func piece(_ directory: TIFFDirectory) -> TIFFStorage.Piece {
        if let width = directory.integer(tag: Tag.tileWidth), let height = directory.integer(tag: Tag.tileLength) {
            return .tile(width: width, height: height)
        }
        return .strip(rows: directory.integer(tag: Tag.rowsPerStrip) ?? .max)
    }

    private func compression(_ directory: TIFFDirectory) -> TIFFStorage.Compression {
        let code = directory.integer(tag: Tag.compression) ?? Self.uncompressed
        if code == Self.uncompressed { return .none }
        return Self.compressionsOfRows.contains(code) ? .rows : .picture
    }

    /// No piece is longer than the file.
    private func longestPieceBytes(_ directory: TIFFDirectory) -> Int {
        let longest = [Tag.stripByteCounts, Tag.tileByteCounts].compactMap { tag in
            directory.largestInteger(tag: tag, limit: HeaderLimits.maximumBlocks)
        }
        return min(longest.max() ?? .max, bytes.count)
    }

    /// Both are fields of 16 bits, though a file can make them wider.
    private static let mostOfShort = 65_535
    private static let palette = 3
    private static let planar = 2
    private static let uncompressed = 1
    /// The three of fax machines, LZW, deflate (both codes), PackBits, LZMA and Zstandard.
    private static let compressionsOfRows: Set = [2, 3, 4, 5, 8, 32_946, 32_773, 34_925, 50_000]
}
