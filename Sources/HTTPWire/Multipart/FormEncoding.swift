/// How clients write a name that a quoted string can't hold.
enum FormEncoding {
    /// What browsers escape in a name: a quote, a carriage return and a line feed (HTML, "Multipart form data").
    private static let browserEscaped: [UInt8] = [0x22, 0x0D, 0x0A]

    /// Undoes `%22`, `%0D` and `%0A`, and nothing else: a file may well be called `100%25.png`.
    static func decodeBrowserEscapes(_ text: String) -> String {
        var rest = Array(text.utf8)[...]
        var decoded: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = hexByte(rest.prefix(2)), browserEscaped.contains(escaped) {
                rest.removeFirst(2)
                decoded.append(escaped)
            } else {
                decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Decodes `UTF-8'language'percent-encoded` (RFC 8187, section 3.2). Nil for another charset, a malformed escape
    /// or bytes that are not UTF-8.
    static func decodeExtendedValue(_ text: String) -> String? {
        let pieces = text.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard pieces.count == 3, String(pieces[0])?.lowercased() == "utf-8" else { return nil }
        var rest = Array(pieces[2])[...]
        var decoded: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let escaped = hexByte(rest.prefix(2)) else { return nil }
            rest.removeFirst(2)
            decoded.append(escaped)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func hexByte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, let high = digits.first.flatMap(hexValue), let low = digits.last.flatMap(hexValue)
        else { return nil }
        return high << 4 | low
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init)
    }
}
