/// Reads the screen size of a GIF, and what its first frame asks for.
struct GIFHeaderReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func read() throws(ImagingError) -> HeaderAnnouncement {
        let frame = try GIFFirstFrame(bytes)
        let storage = GIFStorage(
            copiedBytes: frame.transparencyFlagOffset == nil ? 0 : bytes.count, restoresScreen: frame.restoresScreen)
        return HeaderAnnouncement(
            header: ImageHeader(format: .gif, width: frame.screenWidth, height: frame.screenHeight),
            storage: .gif(storage))
    }
}
