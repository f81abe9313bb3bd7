/// Makes any text harmless inside a log line.
///
/// JSON asks for less (RFC 8259, section 7) than a terminal does: C1 controls, line and paragraph separators and
/// invisible format characters, which can reorder or hide what a person reads, are escaped too.
enum LogEscaping {
    /// Appends `text` in double quotes, as a JSON string.
    static func appendQuoted(_ text: String, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy(isHarmless) {
            line.append(contentsOf: text.utf8)
        } else {
            for scalar in text.unicodeScalars { append(scalar, to: &line) }
        }
        line.append(UInt8(ascii: "\""))
    }

    /// Whether a person can read `text` in the text format without quotes and not take it for anything else.
    static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case " ", "\"", "\\", "=", ",", "[", "]": false
                default: !needsEscape(scalar) && !scalar.properties.isWhitespace
                }
            }
    }

    /// Nearly all text that is ever logged consists of these, which saves looking at its scalars.
    private static func isHarmless(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func append(_ scalar: Unicode.Scalar, to line: inout [UInt8]) {
        switch scalar {
        case "\"", "\\":
            line.append(UInt8(ascii: "\\"))
            line.append(UInt8(ascii: scalar))
        case "\n": line.append(contentsOf: #"\n"#.utf8)
        case "\r": line.append(contentsOf: #"\r"#.utf8)
        case "\t": line.append(contentsOf: #"\t"#.utf8)
        case _ where needsEscape(scalar):
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                appendHexEscape(unit, to: &line)
            }
        case _ where scalar.isASCII: line.append(UInt8(ascii: scalar))
        default: line.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    private static func appendHexEscape(_ unit: UInt16, to line: inout [UInt8]) {
        let hexDigits = Array("0123456789abcdef".utf8)
        line.append(contentsOf: #"\u"#.utf8)
        for shift in [12, 8, 4, 0] {
            line.append(hexDigits[Int(unit >> UInt16(shift)) & 0xF])
        }
    }
}
