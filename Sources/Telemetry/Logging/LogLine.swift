/// Turns a record into bytes, a line feed at the end.
enum LogLine {
    /// Where the columns of the text format start, if what stands before is not longer.
    private static let levelWidth = 7
    private static let eventWidth = 16

    static func append(_ record: LogRecord, format: LogFormat, to lines: inout [UInt8]) {
        switch format {
        case .json: appendJSON(record, to: &lines)
        case .text: appendText(record, to: &lines)
        }
        lines.append(UInt8(ascii: "\n"))
    }

    private static func appendJSON(_ record: LogRecord, to line: inout [UInt8]) {
        line.append(contentsOf: #"{"time":""#.utf8)
        record.time.appendDateAndTime(to: &line)
        line.append(contentsOf: #"","level":""#.utf8)
        line.append(contentsOf: record.level.rawValue.utf8)
        line.append(contentsOf: #"","event":"#.utf8)
        LogEscaping.appendQuoted(record.event, to: &line)
        for field in record.fields.fields {
            line.append(UInt8(ascii: ","))
            LogEscaping.appendQuoted(field.key, to: &line)
            line.append(UInt8(ascii: ":"))
            appendJSON(field.value, to: &line)
        }
        line.append(UInt8(ascii: "}"))
    }

    private static func appendJSON(_ value: LogValue, to line: inout [UInt8]) {
        switch value {
        case .string(let text): LogEscaping.appendQuoted(text, to: &line)
        case .double(let number) where !number.isFinite:
            LogEscaping.appendQuoted(plain(number), to: &line)
        case .strings(let texts):
            appendList(texts, to: &line, append: LogEscaping.appendQuoted)
        case .integer, .double, .bool: appendText(value, to: &line)
        }
    }

    private static func appendText(_ record: LogRecord, to line: inout [UInt8]) {
        record.time.appendTimeOfDay(to: &line)
        line.append(UInt8(ascii: " "))
        appendColumn(record.level.rawValue, width: levelWidth, to: &line)
        line.append(UInt8(ascii: " "))
        appendColumn(record.event, width: record.fields.fields.isEmpty ? 0 : eventWidth, to: &line)
        for field in record.fields.fields {
            line.append(UInt8(ascii: " "))
            appendReadable(field.key, to: &line)
            line.append(UInt8(ascii: "="))
            appendText(field.value, to: &line)
        }
    }

    private static func appendText(_ value: LogValue, to line: inout [UInt8]) {
        switch value {
        case .string(let text): appendReadable(text, to: &line)
        case .integer(let number): line.append(contentsOf: String(number).utf8)
        case .double(let number): line.append(contentsOf: plain(number).utf8)
        case .bool(let truth): line.append(contentsOf: String(truth).utf8)
        case .strings(let texts): appendList(texts, to: &line, append: appendReadable)
        }
    }

    private static func appendList(
        _ texts: [String], to line: inout [UInt8], append: (String, inout [UInt8]) -> Void
    ) {
        line.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            append(text, &line)
        }
        line.append(UInt8(ascii: "]"))
    }

    private static func appendColumn(_ text: String, width: Int, to line: inout [UInt8]) {
        let start = line.count
        appendReadable(text, to: &line)
        let missing = width - (line.count - start)
        if missing > 0 { line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: missing)) }
    }

    private static func appendReadable(_ text: String, to line: inout [UInt8]) {
        if LogEscaping.isPlain(text) {
            line.append(contentsOf: text.utf8)
        } else {
            LogEscaping.appendQuoted(text, to: &line)
        }
    }

    private static func plain(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number > 0 ? "+Inf" : "-Inf" }
        return number.description
    }
}
