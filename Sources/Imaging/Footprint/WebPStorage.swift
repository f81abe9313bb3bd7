/// How a WebP's first frame is coded (RFC 9649, section 2).
enum WebPStorage: Hashable {
    case lossy
    /// The alpha is a plane of its own, nearly always coded without loss.
    case lossyWithAlpha
    case lossless
    /// The first frame of an animation, in either way, on a canvas; with the length of the frame in the file, of which
    /// the decoder is given a copy (``WebPFirstFrame``).
    case animated(frameBytes: Int)

    /// libwebp's objects.
    private static let fixedBytes: ByteCount = 262_144
    /// Rows of macroblocks, of predictions and for filters, in bytes for each column.
    private static let bytesPerColumn = 128

    func decoderBytes(width: Int, height: Int) -> ByteCount {
        let pixels = ByteCount(width) * height
        let rows = ByteCount(width) * Self.bytesPerColumn
        switch self {
        case .lossy:
            // The output of four bytes a pixel.
            return Self.fixedBytes + rows + pixels * 4
        case .lossyWithAlpha:
            // The output, the plane, and what the plane is decoded in: one byte a pixel, or four if it has more than
            // 256 different combinations of transforms and colours.
            return Self.fixedBytes + rows + pixels * 9
        case .lossless:
            return Self.fixedBytes + rows + pixels * 8 + Self.transformBytes(width: width, height: height)
        case .animated(let frameBytes):
            // The frame and the canvas, or while the frame is decoded its output and what it is decoded in.
            return Self.fixedBytes + rows + pixels * 9 + ByteCount(frameBytes) + VipsFootprint.fixedBytes
                + VipsFootprint.rowCacheBytes(width: width, height: height, bytesPerPixel: 4)
        }
    }

    /// Two transforms and the choice of codes have a value of four bytes for each square of at least 4 x 4 pixels.
    private static func transformBytes(width: Int, height: Int) -> ByteCount {
        ByteCount((width + 3) / 4) * ((height + 3) / 4) * (3 * MemoryLayout<UInt32>.stride)
    }
}
