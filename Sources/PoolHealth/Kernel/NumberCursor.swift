/// A place in the text of a file of `/proc`, from which numbers are read without making strings of them: a thread's
/// files are read ten times a second.
struct NumberCursor {
    var position = 0

    /// The next number, in decimal or, after `0x`, in hexadecimal, behind any white space; `nil` where there is none
    /// or it doesn't fit.
    mutating func next(in bytes: Span<UInt8>) -> UInt64? {
        skipSpace(in: bytes)
        var radix: UInt64 = 10
        if position + 1 < bytes.count, bytes[position] == UInt8(ascii: "0"), bytes[position + 1] == UInt8(ascii: "x") {
            radix = 16
            position += 2
        }
        var value: UInt64 = 0
        let start = position
        while position < bytes.count, let digit = Self.digit(bytes[position]), digit < radix {
            let (product, productOverflows) = value.multipliedReportingOverflow(by: radix)
            let (sum, sumOverflows) = product.addingReportingOverflow(digit)
            guard !productOverflows, !sumOverflows else { return nil }
            value = sum
            position += 1
        }
        return position > start ? value : nil
    }

    /// The byte that follows the white space.
    mutating func nextByte(in bytes: Span<UInt8>) -> UInt8? {
        skipSpace(in: bytes)
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// Moves behind the next word, whatever it is.
    mutating func skipWord(in bytes: Span<UInt8>) {
        skipSpace(in: bytes)
        while position < bytes.count, !Self.isSpace(bytes[position]) { position += 1 }
    }

    private mutating func skipSpace(in bytes: Span<UInt8>) {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}
