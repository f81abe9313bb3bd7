/// What a GIF announces of its first frame.
struct GIFStorage: Hashable {
    /// In pixels; 0 in a frame that the decoder isn't given.
    let frameWidth: Int
    let frameHeight: Int
    /// The length of the file: the decoder is given a copy of the frame (``GIFFirstFrame/file(from:)``), which in most
    /// files is nearly all of it.
    let fileBytes: Int

    private static let bytesPerPixel = 4

    /// - Parameter width: The screen's.
    func decoderBytes(width: Int) -> ByteCount {
        let frame = ByteCount(frameWidth) * frameHeight * Self.bytesPerPixel
        // GIFBackdrop's row.
        let row = ByteCount(width) * MemoryLayout<UInt32>.stride
        return VipsFootprint.fixedBytes + ByteCount(fileBytes) + frame + row
            + VipsFootprint.rowCacheBytes(
                width: max(frameWidth, 1), height: frameHeight, bytesPerPixel: Self.bytesPerPixel)
    }
}
