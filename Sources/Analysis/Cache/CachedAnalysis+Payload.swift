import Imaging

/// The form in the database. All numbers are little-endian: width and height (UInt32), orientation, red, green, blue
/// and the length of the format's name (UInt8), the name, and the rest of the bytes are the vector (Float32).
///
/// Whoever changes it raises `CacheDatabase.schemaVersion`.
extension CachedAnalysis {
    var payload: [UInt8] {
        var bytes: [UInt8] = []
        let format = header.format.rawValue.utf8
        bytes.reserveCapacity(2 * 4 + 5 + format.count + embedding.count * 4)
        bytes.append(littleEndian: UInt32(header.width))
        bytes.append(littleEndian: UInt32(header.height))
        bytes.append(UInt8(header.orientation.rawValue))
        bytes += [dominantColor.red, dominantColor.green, dominantColor.blue]
        bytes.append(UInt8(format.count))
        bytes += format
        embedding.map { $0.bitPattern.littleEndian }.withUnsafeBytes { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// `nil` if the bytes are not such a form.
    init?(payload: [UInt8]) {
        var rest = payload[...]
        guard let width = rest.removeLittleEndian(), let height = rest.removeLittleEndian(), width > 0, height > 0,
            let orientation = rest.popFirst().flatMap({ Orientation(rawValue: Int($0)) }),
            let red = rest.popFirst(), let green = rest.popFirst(), let blue = rest.popFirst(),
            let nameLength = rest.popFirst(),
            let format = ImageFormat(rawValue: String(decoding: rest.prefix(Int(nameLength)), as: UTF8.self))
        else { return nil }
        rest = rest.dropFirst(Int(nameLength))
        guard rest.count.isMultiple(of: 4) else { return nil }
        self.init(
            embedding: rest.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: 4).map { offset in
                    let pattern = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    return Float(bitPattern: UInt32(littleEndian: pattern))
                }
            },
            header: ImageHeader(format: format, width: Int(width), height: Int(height), orientation: orientation),
            dominantColor: RGBColor(red: red, green: green, blue: blue))
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian number: UInt32) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func removeLittleEndian() -> UInt32? {
        guard count >= 4 else { return nil }
        defer { self = dropFirst(4) }
        return prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
