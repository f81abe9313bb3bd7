/// Writes JSON's strings (RFC 8259 section 7).
public enum JSONText {
    /// Appends the text in quotes, with quote, backslash and control characters escaped.
    public static func append(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x0A:
                output.append(contentsOf: "\\n".utf8)
            case 0x00..<0x20, 0x7F:
                output.append(contentsOf: "\\u00".utf8)
                output.append(hexadecimal[Int(byte >> 4)])
                output.append(hexadecimal[Int(byte & 15)])
            default:
                output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)
}
