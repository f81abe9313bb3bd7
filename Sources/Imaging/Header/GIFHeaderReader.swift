/// Reads the screen size of a GIF (GIF89a specification, section 18).
struct GIFHeaderReader {
    private let reader: ByteReader

    init(_ bytes: [UInt8]) {
        reader = ByteReader(bytes, order: .littleEndian)
    }

    func read() throws(ImagingError) -> ImageHeader {
        guard let width = reader.integer16(at: 6), let height = reader.integer16(at: 8) else {
            throw .broken(format: .gif, what: "the header ends early", where: "at byte \(reader.count)")
        }
        return ImageHeader(format: .gif, width: width, height: height)
    }
}
