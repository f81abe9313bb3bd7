/// A number of bytes that is written with a binary unit: `32MiB`, `64KiB`, `1024`.
public struct ByteCount: Sendable, Equatable {
    /// The number of bytes.
    public var bytes: Int

    /// Wraps a number of bytes.
    public init(bytes: Int) {
        self.bytes = bytes
    }

    /// `count` times 1,048,576 bytes.
    public static func mebibytes(_ count: Int) -> ByteCount {
        ByteCount(bytes: count << 20)
    }

    private static let units = [(suffix: "GiB", shift: 30), (suffix: "MiB", shift: 20), (suffix: "KiB", shift: 10)]

    /// Reads a whole, non-negative number with or without a unit; nil for anything else, overflow included.
    init?(text: String) {
        let unit = Self.units.first { text.hasSuffix($0.suffix) }
        let digits = text.dropLast(unit?.suffix.count ?? 0)
        guard let count = Int(digits), count >= 0 else { return nil }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: 1 << (unit?.shift ?? 0))
        guard !overflow else { return nil }
        self.init(bytes: bytes)
    }

    /// The shortest form that `init(text:)` reads back.
    var text: String {
        guard bytes > 0, let unit = Self.units.first(where: { bytes % (1 << $0.shift) == 0 }) else { return "\(bytes)" }
        return "\(bytes >> unit.shift)\(unit.suffix)"
    }
}
