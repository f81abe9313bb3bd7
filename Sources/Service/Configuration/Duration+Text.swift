extension Duration {
    /// Whole milliseconds, rounded down.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// Reads a whole number with the unit `ms`, `s` or `m`; nil for anything else.
    init?(text: String) {
        let units: [(suffix: String, milliseconds: Int64)] = [("ms", 1), ("s", 1000), ("m", 60_000)]
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        guard let count = Int64(text.dropLast(unit.suffix.count)), count >= 0 else { return nil }
        let (milliseconds, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflow else { return nil }
        self = .milliseconds(milliseconds)
    }

    /// The shortest form that `init(text:)` reads back.
    var text: String {
        let milliseconds = wholeMilliseconds
        if milliseconds > 0, milliseconds % 60_000 == 0 { return "\(milliseconds / 60_000)m" }
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000)s" }
        return "\(milliseconds)ms"
    }
}
