/// Finds the orientation in a picture's metadata the way Pillow's `Image.getexif` does: the EXIF tag, and where there
/// is none the XMP property. Damaged metadata means upright.
enum OrientationReader {
    private static let orientationTag = 0x0112

    /// - Parameters:
    ///   - exif: A TIFF structure, with or without the prefix `Exif\0\0`.
    ///   - xmp: An XMP packet.
    static func read(exif: ArraySlice<UInt8>?, xmp: ArraySlice<UInt8>?) -> Orientation {
        let value = exif.flatMap(tag) ?? xmp.flatMap(property)
        return value.flatMap(Orientation.init(rawValue:)) ?? .upright
    }

    private static func tag(_ exif: ArraySlice<UInt8>) -> Int? {
        let prefix = Array("Exif".utf8) + [0, 0]
        var block = exif
        // Some writers put the prefix twice.
        for _ in 0..<2 where block.starts(with: prefix) { block = block.dropFirst(prefix.count) }
        return TIFFDirectory(block)?.integer(tag: orientationTag)
    }

    /// `tiff:Orientation="6"` or `<tiff:Orientation>6</tiff:Orientation>`.
    private static func property(_ xmp: ArraySlice<UInt8>) -> Int? {
        let name = Array("tiff:Orientation".utf8)
        var rest = xmp.prefix(HeaderLimits.searchedMetadataBytes)
        while let start = rest.firstIndex(of: name[0]) {
            rest = rest[start...]
            if rest.starts(with: name), let digit = digit(after: rest.dropFirst(name.count)) { return digit }
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func digit(after text: ArraySlice<UInt8>) -> Int? {
        let value =
            if text.starts(with: "=\"".utf8) {
                text.dropFirst(2).first
            } else if text.starts(with: ">".utf8) {
                text.dropFirst().first
            } else {
                UInt8?.none
            }
        guard let value, (0x30...0x39).contains(value) else { return nil }
        return Int(value - 0x30)
    }
}
