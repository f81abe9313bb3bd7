/// Reads the screen size of a GIF, and what its first frame asks for.
struct GIFHeaderReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func read() throws(ImagingError) -> HeaderAnnouncement {
        let frame = try GIFFirstFrame(bytes)
        let storage = GIFStorage(
            frameWidth: frame.columns.count, frameHeight: frame.rows.count, fileBytes: bytes.count)
        return HeaderAnnouncement(
            header: ImageHeader(format: .gif, width: frame.screenWidth, height: frame.screenHeight),
            storage: .gif(storage))
    }
}
