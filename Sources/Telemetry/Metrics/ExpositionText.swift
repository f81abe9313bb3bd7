/// Writes Prometheus' text exposition format, version 0.0.4.
///
/// What never changes, a family's header and each sample's name and labels, is rendered once, at registration: a scrape
/// copies it and formats the values only.
struct ExpositionText {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ rendered: [UInt8]) {
        bytes.append(contentsOf: rendered)
    }

    /// - Parameter start: as `sampleStart` makes it.
    mutating func append(_ start: [UInt8], value: Double) {
        append(start)
        bytes.append(contentsOf: Self.number(value).utf8)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The two lines that stand before a family's samples.
    static func header(name: String, help: String, kind: MetricKind) -> [UInt8] {
        Array("# HELP \(name) \(escapedHelp(help))\n# TYPE \(name) \(kind.rawValue)\n".utf8)
    }

    /// A sample's line up to its value.
    /// - Parameter labels: in the order in which they are written.
    static func sampleStart(_ name: String, labels: [(name: String, value: String)] = []) -> [UInt8] {
        let pairs = labels.map { "\($0.name)=\"\(escapedLabelValue($0.value))\"" }.joined(separator: ",")
        return Array((labels.isEmpty ? "\(name) " : "\(name){\(pairs)} ").utf8)
    }

    /// As Go's `strconv.ParseFloat` reads it: whole numbers without a fraction, `NaN`, `+Inf`, `-Inf`.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? value.description
    }

    /// In a help text, a backslash and a line feed are escaped.
    private static func escapedHelp(_ text: String) -> String {
        escaped(text, quotes: false)
    }

    /// In a label value, a backslash, a line feed and a double quote are escaped.
    private static func escapedLabelValue(_ text: String) -> String {
        escaped(text, quotes: true)
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        // By scalar, since "\r\n" is a single Character and would slip through.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
