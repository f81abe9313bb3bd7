/// Reads a picture's size, orientation and storage without decoding it and without any library.
///
/// The readers are pure and touch only the headers, so that the limits are checked before a decoder has seen the
/// file.
enum ImageHeaderReader {
    static func read(_ bytes: [UInt8], format: ImageFormat) throws(ImagingError) -> HeaderAnnouncement {
        switch format {
        case .jpeg: try JPEGHeaderReader(bytes).read()
        case .png: try PNGHeaderReader(bytes).read()
        case .webp: try WebPHeaderReader(bytes).read()
        case .gif: try GIFHeaderReader(bytes).read()
        case .tiff: try TIFFHeaderReader(bytes).read()
        }
    }
}
