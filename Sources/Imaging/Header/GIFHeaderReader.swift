/// Reads the screen size of a GIF.
struct GIFHeaderReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func read() throws(ImagingError) -> ImageHeader {
        let frame = try GIFFirstFrame(bytes)
        return ImageHeader(format: .gif, width: frame.screenWidth, height: frame.screenHeight)
    }
}
