/// The first frame of an animated WebP, as an animation of nothing else (RFC 9649, section 2.7).
///
/// libvips makes copies of EXIF, XMP and profiles, and libwebp remembers every frame; none of them shows in the
/// picture.
struct WebPFirstFrame {
    /// A whole file.
    let bytes: [UInt8]

    private static let sizeOffset = 4
    private static let firstChunk = 12
    private static let chunkOverhead = 8
    private static let flagsOffset = 20
    private static let alphaFlag: UInt8 = 0x10
    private static let animationFlag: UInt8 = 0x02

    /// - Throws: ``ImagingError/broken(format:what:where:)`` if the file is shorter than it says, or has no frame.
    init(_ file: [UInt8]) throws(ImagingError) {
        let reader = ByteReader(file, order: .littleEndian)
        guard let size = reader.integer32(at: Self.sizeOffset), Self.sizeOffset + 4 + size <= file.count else {
            throw .broken(format: .webp, what: "the data ends early", where: "at byte \(file.count)")
        }
        let ranges = try Self.ranges(reader)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.firstChunk + ranges.reduce(0) { $0 + $1.count })
        bytes += file[..<Self.firstChunk]
        for range in ranges { bytes += file[range] }
        let newSize = UInt32(clamping: bytes.count - Self.chunkOverhead)
        for index in 0..<4 { bytes[Self.sizeOffset + index] = UInt8(truncatingIfNeeded: newSize >> (8 * index)) }
        if bytes.count > Self.flagsOffset { bytes[Self.flagsOffset] &= Self.alphaFlag | Self.animationFlag }
        self.bytes = bytes
    }

    /// Where the chunks stand that are needed: the header, what is said of the animation, and its first frame.
    private static func ranges(_ reader: ByteReader) throws(ImagingError) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var offset = firstChunk
        for _ in 0..<HeaderLimits.maximumBlocks {
            guard let type = reader.slice(at: offset, length: 4), let length = reader.integer32(at: offset + 4),
                // Chunks are padded to an even length.
                let chunk = reader.slice(at: offset, length: chunkOverhead + length + length % 2)
            else { break }
            let isFrame = type.elementsEqual("ANMF".utf8)
            if isFrame || type.elementsEqual("VP8X".utf8) || type.elementsEqual("ANIM".utf8) {
                ranges.append(chunk.indices)
            }
            if isFrame { return ranges }
            offset += chunk.count
        }
        throw .broken(format: .webp, what: "there is no whole frame", where: "at byte \(offset)")
    }
}
