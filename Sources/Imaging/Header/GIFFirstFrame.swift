/// What stands before the pixels of a GIF's first frame (GIF89a specification, sections 18 to 23).
struct GIFFirstFrame {
    /// The logical screen in pixels, enlarged to hold the frame, as every viewer does.
    private(set) var screenWidth: Int
    private(set) var screenHeight: Int
    /// The part of the screen that the frame covers.
    private(set) var columns = 0..<0
    private(set) var rows = 0..<0
    /// The palette index that is not to be drawn, if any.
    private(set) var transparentIndex: Int?
    /// Three bytes a colour; empty if the file has no palette.
    private var palette: ArraySlice<UInt8> = []
    /// Where the palette of all frames ends, or the screen's descriptor if there is none.
    private var screenEnd = 0
    /// Where the frame's descriptor stands, and where its pixels begin.
    private var descriptorStart = 0
    private var pixelsStart = 0
    /// Blocks of all extensions together that are still followed.
    private var dataBlocksLeft = HeaderLimits.maximumBlocks

    private enum Block {
        static let imageDescriptor = 0x2C
        static let extensionIntroducer = 0x21
        static let graphicControl = 0xF9
    }

    private static let screenFlags = 10
    private static let descriptorLength = 10
    private static let trailer: UInt8 = 0x3B

    init(_ bytes: [UInt8]) throws(ImagingError) {
        let reader = ByteReader(bytes, order: .littleEndian)
        guard let width = reader.integer16(at: 6), let height = reader.integer16(at: 8),
            let flags = reader.byte(at: 10)
        else { throw Self.endsEarly(reader) }
        (screenWidth, screenHeight) = (width, height)
        var offset = 13
        try takePalette(flags: flags, reader, &offset)
        screenEnd = offset
        for _ in 0..<HeaderLimits.maximumBlocks {
            guard let block = reader.byte(at: offset) else { throw Self.endsEarly(reader) }
            switch block {
            case Block.imageDescriptor:
                try takeDescriptor(reader, offset)
                return
            case Block.extensionIntroducer:
                try takeExtension(reader, &offset)
            default:
                throw .broken(format: .gif, what: "there is no picture", where: "at byte \(offset)")
            }
        }
        throw Self.tooManyBlocks(at: offset)
    }

    /// The colour of screen that the frame doesn't cover: the transparent one or else the first, without alpha.
    var backdrop: RGBColor {
        let index = transparentIndex ?? 0
        let color = palette.dropFirst(3 * index).prefix(3)
        guard color.count == 3 else {
            let level = palette.isEmpty ? UInt8(index) : 0
            return RGBColor(red: level, green: level, blue: level)
        }
        let start = color.startIndex
        return RGBColor(red: color[start], green: color[start + 1], blue: color[start + 2])
    }

    /// A GIF of this frame alone, on a screen of the frame's size.
    ///
    /// libvips' decoder takes screens of some monitors' sizes and those with a side over 2048 for mistakes and puts in
    /// their place what the frames cover. The frame alone has one size for everybody. Nor is any other frame looked at
    /// or remembered, or what comments and extensions say.
    ///
    /// - Parameter bytes: The file that the frame was found in.
    /// - Throws: ``ImagingError/broken(format:what:where:)`` if the frame has no pixels.
    func file(from bytes: [UInt8]) throws(ImagingError) -> [UInt8] {
        guard !columns.isEmpty, !rows.isEmpty else {
            throw .broken(format: .gif, what: "the first frame has no pixels", where: "at byte \(descriptorStart)")
        }
        let end = pixelsEnd(in: bytes)
        let size = [columns.count, rows.count].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        var file: [UInt8] = []
        file.reserveCapacity(end + Self.descriptorLength)
        file += Array("GIF89a".utf8) + size + bytes[Self.screenFlags..<screenEnd]
        if let index = transparentIndex {
            file += [UInt8(Block.extensionIntroducer), UInt8(Block.graphicControl), 4, 1, 0, 0, UInt8(index), 0]
        }
        file += [UInt8(Block.imageDescriptor), 0, 0, 0, 0] + size
        file += bytes[descriptorStart + Self.descriptorLength - 1..<end]
        file.append(Self.trailer)
        return file
    }

    /// Behind the frame's pixels, which are blocks behind their lengths up to an empty one; or where the file ends.
    private func pixelsEnd(in bytes: [UInt8]) -> Int {
        // The first byte tells how wide codes are.
        var offset = pixelsStart + 1
        while offset < bytes.count {
            let length = Int(bytes[offset])
            offset += 1 + length
            if length == 0 { break }
        }
        return min(offset, bytes.count)
    }

    private mutating func takePalette(flags: Int, _ reader: ByteReader, _ offset: inout Int) throws(ImagingError) {
        guard flags & 0x80 != 0 else { return }
        let length = 3 << (flags & 7 + 1)
        guard let palette = reader.slice(at: offset, length: length) else { throw Self.endsEarly(reader) }
        self.palette = palette
        offset += length
    }

    private mutating func takeDescriptor(_ reader: ByteReader, _ start: Int) throws(ImagingError) {
        guard let left = reader.integer16(at: start + 1), let top = reader.integer16(at: start + 3),
            let width = reader.integer16(at: start + 5), let height = reader.integer16(at: start + 7),
            let flags = reader.byte(at: start + 9)
        else { throw Self.endsEarly(reader) }
        columns = left..<left + width
        rows = top..<top + height
        screenWidth = max(screenWidth, columns.upperBound)
        screenHeight = max(screenHeight, rows.upperBound)
        descriptorStart = start
        var offset = start + Self.descriptorLength
        try takePalette(flags: flags, reader, &offset)
        pixelsStart = offset
    }

    private mutating func takeExtension(_ reader: ByteReader, _ offset: inout Int) throws(ImagingError) {
        guard let label = reader.byte(at: offset + 1) else { throw Self.endsEarly(reader) }
        if label == Block.graphicControl, let flags = reader.byte(at: offset + 3) {
            if flags & 1 != 0 { transparentIndex = reader.byte(at: offset + 6) }
        }
        offset += 2
        // Data follow in blocks, each behind its length, up to an empty one.
        while dataBlocksLeft > 0 {
            guard let length = reader.byte(at: offset) else { throw Self.endsEarly(reader) }
            dataBlocksLeft -= 1
            offset += 1 + length
            if length == 0 { return }
        }
        throw Self.tooManyBlocks(at: offset)
    }

    private static func tooManyBlocks(at offset: Int) -> ImagingError {
        .broken(
            format: .gif, what: "more than \(HeaderLimits.maximumBlocks) blocks before the first frame",
            where: "at byte \(offset)")
    }

    private static func endsEarly(_ reader: ByteReader) -> ImagingError {
        .broken(format: .gif, what: "the header ends early", where: "at byte \(reader.count)")
    }
}
