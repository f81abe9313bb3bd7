/// The first image file directory of a TIFF structure, be it a TIFF file or an EXIF block.
///
/// TIFF 6.0, section 2; BigTIFF has wider counts and offsets. The fields up to a damaged one can be read.
struct TIFFDirectory {
    private let reader: ByteReader
    private let isBig: Bool
    private let firstEntry: Int
    private let entryCount: Int

    init?(_ bytes: ArraySlice<UInt8>) {
        if bytes.starts(with: "II".utf8) {
            reader = ByteReader(bytes, order: .littleEndian)
        } else if bytes.starts(with: "MM".utf8) {
            reader = ByteReader(bytes, order: .bigEndian)
        } else {
            return nil
        }
        switch reader.integer16(at: 2) {
        case 42:
            guard let offset = reader.integer32(at: 4), let count = reader.integer16(at: offset) else { return nil }
            (isBig, firstEntry, entryCount) = (false, offset + 2, count)
        case 43:
            guard let offset = reader.integer64(at: 8), offset < reader.count,
                let count = reader.integer64(at: offset)
            else { return nil }
            (isBig, firstEntry, entryCount) = (true, offset + 8, count)
        default:
            return nil
        }
    }

    private var entrySize: Int { isBig ? 20 : 12 }

    /// The first value of an integer field; of several fields with the same tag the last one.
    func integer(tag: Int) -> Int? {
        var value: Int?
        for index in 0..<min(entryCount, reader.count / entrySize) {
            let entry = firstEntry + index * entrySize
            guard let found = reader.integer16(at: entry) else { break }
            if found == tag { value = firstValue(ofEntryAt: entry) ?? value }
        }
        return value
    }

    /// The largest value of an integer field, or nil if there is none or it has more than `limit`.
    func largestInteger(tag: Int, limit: Int) -> Int? {
        let entries = (0..<min(entryCount, reader.count / entrySize)).lazy.map { firstEntry + $0 * entrySize }
        guard let entry = entries.last(where: { reader.integer16(at: $0) == tag }),
            let field = field(ofEntryAt: entry), field.offset <= reader.count, field.count <= limit
        else { return nil }
        return (0..<field.count).lazy.compactMap { integer(at: field.offset + $0 * field.size, size: field.size) }.max()
    }

    private func firstValue(ofEntryAt entry: Int) -> Int? {
        field(ofEntryAt: entry).flatMap { integer(at: $0.offset, size: $0.size) }
    }

    /// Where the integers of a field stand, how many there are and how many bytes each has.
    private func field(ofEntryAt entry: Int) -> (offset: Int, count: Int, size: Int)? {
        guard let type = reader.integer16(at: entry + 2),
            let count = isBig ? reader.integer64(at: entry + 4) : reader.integer32(at: entry + 4),
            let size = Self.integerSizes[type], count > 0
        else { return nil }
        let field = entry + (isBig ? 12 : 8)
        let isInline = count <= (isBig ? 8 : 4) / size
        guard let offset = isInline ? field : isBig ? reader.integer64(at: field) : reader.integer32(at: field) else {
            return nil
        }
        return (offset, count, size)
    }

    private func integer(at offset: Int, size: Int) -> Int? {
        switch size {
        case 2: reader.integer16(at: offset)
        case 4: reader.integer32(at: offset)
        default: reader.integer64(at: offset)
        }
    }

    /// SHORT, LONG, SSHORT, SLONG and LONG8; a negative value never makes sense here.
    private static let integerSizes = [3: 2, 4: 4, 8: 2, 9: 4, 16: 8]
}
