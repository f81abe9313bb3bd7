/// One chunk of a PNG (W3C PNG, third edition, section 5.3).
struct PNGChunk {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    let type: String
    var content: [UInt8] = []

    /// With its length and its checksum.
    var bytes: [UInt8] {
        let named = Array(type.utf8) + content
        return Self.bigEndian(content.count) + named + Self.bigEndian(Int(Self.checksum(named)))
    }

    static func file(_ chunks: [PNGChunk]) -> [UInt8] { signature + chunks.flatMap(\.bytes) }

    /// The chunks of a whole file.
    static func chunks(of file: [UInt8]) -> [PNGChunk] {
        var rest = file.dropFirst(signature.count)
        var chunks: [PNGChunk] = []
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            let type = String(decoding: rest.prefix(4), as: UTF8.self)
            chunks.append(PNGChunk(type: type, content: Array(rest.dropFirst(4).prefix(length))))
            rest = rest.dropFirst(8 + length)
        }
        return chunks
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// CRC-32, appendix D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
    }
}
