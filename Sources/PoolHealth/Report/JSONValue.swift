/// A value to be written as JSON (RFC 8259), its members in the order in which they stand.
indirect enum JSONValue {
    case string(String)
    case number(Double)
    case integer(Int)
    case bool(Bool)
    case null
    case array([JSONValue])
    case object([(String, JSONValue)])

    /// `null` for what isn't there.
    static func optional<Value>(_ value: Value?, _ make: (Value) -> JSONValue) -> JSONValue {
        value.map(make) ?? .null
    }

    func encoded() -> [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        output.append(UInt8(ascii: "\n"))
        return output
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .string(let text): Self.write(text, to: &output)
        case .number(let number) where number.isFinite: output += number.description.utf8
        case .number, .null: output += "null".utf8
        case .integer(let number): output += number.description.utf8
        case .bool(let truth): output += truth.description.utf8
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                value.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.write(member.0, to: &output)
                output.append(UInt8(ascii: ":"))
                member.1.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                output += #"\u00"#.utf8
                output.append(digits[Int(byte >> 4)])
                output.append(digits[Int(byte & 15)])
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
