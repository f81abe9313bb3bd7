/// A count of bytes, or a factor of one, that stops at `Int.max` instead of overflowing.
///
/// Headers are written by strangers: a TIFF may announce tiles whose sides fill 64 bits.
struct ByteCount: Hashable, Comparable, ExpressibleByIntegerLiteral {
    let value: Int

    /// - Parameter value: A negative one counts as 0.
    init(_ value: Int) { self.value = max(value, 0) }

    init(integerLiteral value: Int) { self.init(value) }

    static func + (left: ByteCount, right: ByteCount) -> ByteCount {
        let (sum, overflow) = left.value.addingReportingOverflow(right.value)
        return ByteCount(overflow ? .max : sum)
    }

    static func * (left: ByteCount, right: ByteCount) -> ByteCount {
        let (product, overflow) = left.value.multipliedReportingOverflow(by: right.value)
        return ByteCount(overflow ? .max : product)
    }

    static func * (left: ByteCount, right: Int) -> ByteCount { left * ByteCount(right) }

    static func < (left: ByteCount, right: ByteCount) -> Bool { left.value < right.value }

    /// A whole number of `unit`s: rounded up.
    func roundedUp(to unit: Int) -> ByteCount {
        let rest = value % unit
        return rest == 0 ? self : self + ByteCount(unit - rest)
    }
}
