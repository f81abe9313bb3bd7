/// Looks up numbers in files of one `name value` or `name: value` a line.
enum LabelledNumber {
    /// The number on the first line that starts with `name` and then `separator`; `nil` without one.
    static func find(_ name: StaticString, separator: UInt8, in bytes: Span<UInt8>) -> UInt64? {
        let length = name.utf8CodeUnitCount
        var lineStart = 0
        while lineStart + length < bytes.count {
            if bytes[lineStart + length] == separator, starts(bytes, at: lineStart, with: name) {
                var cursor = NumberCursor(position: lineStart + length + 1)
                return cursor.next(in: bytes)
            }
            while lineStart < bytes.count, bytes[lineStart] != UInt8(ascii: "\n") { lineStart += 1 }
            lineStart += 1
        }
        return nil
    }

    private static func starts(_ bytes: Span<UInt8>, at start: Int, with name: StaticString) -> Bool {
        name.withUTF8Buffer { name in
            for offset in name.indices where bytes[start + offset] != name[offset] { return false }
            return true
        }
    }
}
