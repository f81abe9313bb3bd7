/// Reads integers out of untrusted bytes; beyond the end everything is nil.
struct ByteReader {
    enum ByteOrder {
        case littleEndian
        case bigEndian
    }

    private let bytes: ArraySlice<UInt8>
    let order: ByteOrder

    init(_ bytes: ArraySlice<UInt8>, order: ByteOrder) {
        self.bytes = bytes
        self.order = order
    }

    init(_ bytes: [UInt8], order: ByteOrder) {
        self.init(bytes[...], order: order)
    }

    var count: Int { bytes.count }

    /// The part of `length` bytes from `offset`, or nil if not all of it is there.
    func slice(at offset: Int, length: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
        let start = bytes.startIndex + offset
        return bytes[start..<start + length]
    }

    func byte(at offset: Int) -> Int? { integer(at: offset, width: 1) }

    func integer16(at offset: Int) -> Int? { integer(at: offset, width: 2) }

    func integer24(at offset: Int) -> Int? { integer(at: offset, width: 3) }

    func integer32(at offset: Int) -> Int? { integer(at: offset, width: 4) }

    /// Nil also for values over `Int.max`, which no size or offset has.
    func integer64(at offset: Int) -> Int? { integer(at: offset, width: 8) }

    private func integer(at offset: Int, width: Int) -> Int? {
        guard let field = slice(at: offset, length: width) else { return nil }
        let value =
            switch order {
            case .bigEndian: field.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            case .littleEndian: field.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
        return Int(exactly: value)
    }
}
