/// What a PNG's chunks announce (W3C PNG, third edition, section 11).
struct PNGStorage: Hashable {
    /// Samples of a pixel once it is unpacked: a palette becomes three, transparency adds one.
    let bands: Int
    /// Bytes of a sample once it is unpacked: 1 or 2.
    let bytesPerSample: Int
    let isInterlaced: Bool
    /// What texts and profiles become at most.
    let metadataBytes: ByteCount

    /// The most that deflate expands, RFC 1951: 258 bytes for two bits.
    private static let mostExpansion = 1_032
    /// What libpng unpacks of a chunk at most.
    private static let mostChunkBytes = 8_000_000

    /// What a text or a profile becomes: libpng holds it and libvips a copy.
    static func metadataBytes(storedIn length: Int, isCompressed: Bool) -> ByteCount {
        let unpacked = ByteCount(length) * (isCompressed ? mostExpansion : 1)
        return min(unpacked, ByteCount(mostChunkBytes)) * 2
    }

    func decoderBytes(width: Int, height: Int) -> ByteCount {
        let bytesPerPixel = bands * bytesPerSample
        // Filtering and unpacking a row takes libpng some rows of its own.
        let rows = ByteCount(width) * 4 * bytesPerPixel
        // Interlaced, the first rows are complete only when all are.
        let pixels =
            isInterlaced
            ? ByteCount(width) * height * bytesPerPixel
            : VipsFootprint.rowCacheBytes(width: width, height: height, bytesPerPixel: bytesPerPixel)
        return VipsFootprint.fixedBytes + metadataBytes + rows + pixels
    }
}
