/// Reads a picture's size and orientation without decoding it.
enum ImageHeaderReader {
    static func read(_ bytes: [UInt8], format: ImageFormat) throws(ImagingError) -> ImageHeader {
        throw .broken(format: format, what: "", where: "")
    }
}
