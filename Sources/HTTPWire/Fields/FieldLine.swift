/// One field line (RFC 9112 section 5): `name ":" OWS value OWS`.
enum FieldLine {
    /// Finds name and value in a line, which comes without its CRLF and without control characters.
    static func parse(_ bytes: [UInt8], _ line: Range<Int>) throws(RequestError) -> HTTPFields.Entry {
        var colon = line.lowerBound
        while colon < line.upperBound, ASCII.isToken(bytes[colon]) {
            colon += 1
        }
        guard colon > line.lowerBound, colon < line.upperBound, bytes[colon] == ASCII.colon else {
            let first = bytes[line.lowerBound]
            throw first == ASCII.space || first == ASCII.tab ? .foldedFieldLine : .malformedFieldLine
        }
        var start = colon + 1
        var end = line.upperBound
        while start < end, isWhitespace(bytes[start]) {
            start += 1
        }
        while end > start, isWhitespace(bytes[end - 1]) {
            end -= 1
        }
        return HTTPFields.Entry(name: line.lowerBound..<colon, value: start..<end)
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == ASCII.space || byte == ASCII.tab
    }
}
