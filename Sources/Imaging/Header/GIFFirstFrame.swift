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
    /// The place of the byte whose lowest bit says that there is a transparent index.
    private(set) var transparencyFlagOffset: Int?
    /// Whether a viewer has to put back after the frame what was on the screen before.
    private(set) var restoresScreen = false
    /// Three bytes a colour; empty if the file has no palette.
    private(set) var palette: ArraySlice<UInt8> = []

    private enum Block {
        static let imageDescriptor = 0x2C
        static let extensionIntroducer = 0x21
        static let graphicControl = 0xF9
    }

    /// The disposal method 3, and 4, which some writers use for it.
    private static let restoringDisposals = 3...4

    init(_ bytes: [UInt8]) throws(ImagingError) {
        let reader = ByteReader(bytes, order: .littleEndian)
        guard let width = reader.integer16(at: 6), let height = reader.integer16(at: 8),
            let flags = reader.byte(at: 10)
        else { throw Self.endsEarly(reader) }
        (screenWidth, screenHeight) = (width, height)
        var offset = 13
        try takePalette(flags: flags, reader, &offset)
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
        var offset = start + 10
        try takePalette(flags: flags, reader, &offset)
    }

    private mutating func takeExtension(_ reader: ByteReader, _ offset: inout Int) throws(ImagingError) {
        guard let label = reader.byte(at: offset + 1) else { throw Self.endsEarly(reader) }
        if label == Block.graphicControl, let flags = reader.byte(at: offset + 3) {
            restoresScreen = Self.restoringDisposals.contains(flags >> 2 & 7)
            if flags & 1 != 0 {
                transparencyFlagOffset = offset + 3
                transparentIndex = reader.byte(at: offset + 6)
            }
        }
        offset += 2
        // Data follow in blocks, each behind its length, up to an empty one.
        for _ in 0..<HeaderLimits.maximumBlocks {
            guard let length = reader.byte(at: offset) else { throw Self.endsEarly(reader) }
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
