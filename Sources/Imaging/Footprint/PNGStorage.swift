/// What a PNG's chunks announce (W3C PNG, third edition, section 11).
///
/// Texts, profiles and EXIF take nothing, since the decoder is not given them (``PNGPixelChunks``).
struct PNGStorage: Hashable {
    /// Samples of a pixel once it is unpacked: a palette becomes three, transparency adds one.
    let bands: Int
    /// Bytes of a sample once it is unpacked: 1 or 2.
    let bytesPerSample: Int
    let isInterlaced: Bool

    func decoderBytes(width: Int, height: Int) -> ByteCount {
        let bytesPerPixel = bands * bytesPerSample
        // Filtering and unpacking a row takes libpng some rows of its own.
        let rows = ByteCount(width) * 4 * bytesPerPixel
        // Interlaced, the first rows are complete only when all are.
        let pixels =
            isInterlaced
            ? ByteCount(width) * height * bytesPerPixel
            : VipsFootprint.rowCacheBytes(width: width, height: height, bytesPerPixel: bytesPerPixel)
        return VipsFootprint.fixedBytes + rows + pixels
    }
}
