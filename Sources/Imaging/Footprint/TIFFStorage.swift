/// What a TIFF's first directory announces about how its pixels are laid out (TIFF 6.0, sections 3, 8, 9 and 15).
struct TIFFStorage: Hashable {
    /// A piece of the picture that is compressed by itself.
    enum Piece: Hashable {
        case strip(rows: Int)
        case tile(width: Int, height: Int)
    }

    /// How much libtiff needs to unpack a piece besides the piece itself.
    enum Compression: Hashable {
        case none
        /// Tables only.
        case rows
        /// Another picture format, which may hold all of a piece's coefficients or pixels.
        case picture
    }

    let piece: Piece
    let compression: Compression
    let bands: Int
    let bytesPerSample: Int
    /// Whether each band has pieces of its own.
    let isPlanar: Bool
    /// The longest piece as it stands in the file.
    let longestPieceBytes: Int

    /// Strips of more rows are read row by row by libvips, if libtiff can do that.
    private static let mostRowsOfWholeStrip = 128

    func decoderBytes(width: Int, height: Int) -> ByteCount {
        VipsFootprint.fixedBytes + pieceBytes(width: width, height: height) + cacheBytes(width: width, height: height)
    }

    private func pieceBytes(width: Int, height: Int) -> ByteCount {
        let packed = isUnpackedInPlace ? 0 : ByteCount(longestPieceBytes)
        let pieces: ByteCount
        switch piece {
        case .strip(let rows):
            let isReadByRow = rows > Self.mostRowsOfWholeStrip && !isPlanar && compression != .picture
            pieces = ByteCount(width) * (isReadByRow ? 1 : min(rows, height)) * pieceCopies
        case .tile(let width, let height):
            pieces = ByteCount(width) * height * pieceCopies
        }
        return packed + pieces * bytesPerSample
    }

    private var isUnpackedInPlace: Bool { compression == .none && !isPlanar }

    /// Samples for each pixel of a piece: all bands, one more where bands are read apart, and what a codec holds.
    private var pieceCopies: Int {
        let apart = isPlanar ? 1 : 0
        return compression == .picture ? bands * 3 + apart : bands + apart
    }

    private func cacheBytes(width: Int, height: Int) -> ByteCount {
        let bytesPerPixel = bands * bytesPerSample
        let rowCache = VipsFootprint.rowCacheBytes(width: width, height: height, bytesPerPixel: bytesPerPixel)
        guard case .tile(let tileWidth, let tileHeight) = piece else { return rowCache }
        // Two rows of tiles, of which those at the right may stand out, and the strips on their way.
        let columns = ByteCount(width) + ByteCount(tileWidth)
        let rows = ByteCount(min(tileHeight, height)) * 2
        return columns * rows * bytesPerPixel
            + VipsFootprint.rowCacheBytes(width: width, height: 0, bytesPerPixel: bytesPerPixel)
    }
}
