/// Reads size and orientation from the first directory of a TIFF.
struct TIFFHeaderReader {
    private enum Tag {
        static let imageWidth = 256
        static let imageLength = 257
        static let orientation = 274
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func read() throws(ImagingError) -> ImageHeader {
        guard let directory = TIFFDirectory(bytes[...]) else {
            throw .broken(format: .tiff, what: "the first directory is missing", where: "in the header")
        }
        guard let width = directory.integer(tag: Tag.imageWidth),
            let height = directory.integer(tag: Tag.imageLength)
        else { throw .broken(format: .tiff, what: "the size is missing", where: "in the first directory") }
        let orientation = directory.integer(tag: Tag.orientation).flatMap(Orientation.init(rawValue:))
        return ImageHeader(format: .tiff, width: width, height: height, orientation: orientation ?? .upright)
    }
}
