/// What Prometheus takes for a name (prometheus.io, "Data model", the classic character set).
enum MetricName {
    static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, !isDigit(first) else { return false }
        return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: ":") }
    }

    /// Names that start with two underscores are Prometheus' own.
    static func isValidLabel(_ name: String) -> Bool {
        isValid(name) && !name.utf8.contains(UInt8(ascii: ":")) && !name.hasPrefix("__")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
    }
}
