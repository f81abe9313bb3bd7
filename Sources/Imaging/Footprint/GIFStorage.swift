/// What a GIF announces before its first frame.
struct GIFStorage: Hashable {
    /// The length of the file if ``GIFBackdrop`` has to change a copy of it, else 0.
    let copiedBytes: Int
    /// Whether the screen before the frame is kept to be restored after it.
    let restoresScreen: Bool

    private static let bytesPerPixel = 4

    func decoderBytes(width: Int, height: Int) -> ByteCount {
        let screens = ByteCount(width) * height * (Self.bytesPerPixel * (restoresScreen ? 2 : 1))
        // GIFBackdrop's row.
        let row = ByteCount(width) * MemoryLayout<UInt32>.stride
        return VipsFootprint.fixedBytes + ByteCount(copiedBytes) + screens + row
            + VipsFootprint.rowCacheBytes(width: width, height: height, bytesPerPixel: Self.bytesPerPixel)
    }
}
