/// Writes Prometheus' text exposition format, version 0.0.4, line by line.
struct ExpositionText {
    private(set) var bytes: [UInt8] = []

    mutating func header(name: String, help: String, kind: MetricKind) {
        append("# HELP \(name) ")
        append(Self.escapedHelp(help))
        append("\n# TYPE \(name) \(kind.rawValue)\n")
    }

    /// - Parameter labels: rendered pairs, as `pairs(names:values:)` makes them; empty for none.
    mutating func sample(_ name: String, labels: String, value: Double) {
        sample(name, labels: labels, text: Self.number(value))
    }

    private mutating func sample(_ name: String, labels: String, text: String) {
        append(name)
        if !labels.isEmpty {
            append("{")
            append(labels)
            append("}")
        }
        append(" ")
        append(text)
        append("\n")
    }

    mutating func histogram(_ name: String, labels: String, of histogram: Histogram) {
        let counts = histogram.cumulativeCounts()
        let separator = labels.isEmpty ? "" : ","
        for (bound, count) in counts {
            sample(
                name + "_bucket", labels: "\(labels)\(separator)le=\"\(Self.number(bound))\"", text: String(count))
        }
        sample(name + "_sum", labels: labels, value: histogram.sum)
        sample(name + "_count", labels: labels, text: String(counts.last?.count ?? 0))
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// `name="value"` pairs, separated by commas.
    static func pairs(names: [String], values: [String]) -> String {
        zip(names, values).map { "\($0)=\"\(escapedLabelValue($1))\"" }.joined(separator: ",")
    }

    /// As Go's `strconv.ParseFloat` reads it: whole numbers without a fraction, `NaN`, `+Inf`, `-Inf`.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? value.description
    }

    /// In a help text, a backslash and a line feed are escaped.
    static func escapedHelp(_ text: String) -> String {
        escaped(text, quotes: false)
    }

    /// In a label value, a backslash, a line feed and a double quote are escaped.
    static func escapedLabelValue(_ text: String) -> String {
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
