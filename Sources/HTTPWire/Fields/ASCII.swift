/// The bytes and byte classes that HTTP/1.1's grammar is written in (RFC 9110 section 5.6, RFC 5234 appendix B).
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let percent: UInt8 = 0x25
    static let plus: UInt8 = 0x2B
    static let comma: UInt8 = 0x2C
    static let dot: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let nine: UInt8 = 0x39
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let questionMark: UInt8 = 0x3F

    /// `tchar`: what a method or a field name consists of (RFC 9110 section 5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        byte < 128 && tokens[Int(byte)]
    }

    /// What may stand inside a field line or a chunk extension: HTAB, SP, VCHAR, obs-text (RFC 9110 section 5.5).
    @inline(__always)
    static func isFieldContent(_ byte: UInt8) -> Bool {
        (byte >= space && byte != 0x7F) || byte == tab
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte >= zero && byte <= nine
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        let folded = byte | 0x20
        return isDigit(byte) || (folded >= 0x61 && folded <= 0x7A)
    }

    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    private static let tokens: [Bool] = (0..<128).map { code in
        isAlphanumeric(UInt8(code)) || "!#$%&'*+-.^_`|~".utf8.contains(UInt8(code))
    }
}

extension [UInt8] {
    /// Appends the bytes a span shows, in one copy.
    @inline(__always)
    mutating func append(_ span: Span<UInt8>) {
        // The pointer lives only inside the closure; Array offers no bulk append from a Span yet.
        span.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
