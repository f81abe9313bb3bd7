/// A number that only grows: requests served, bytes sent.
///
/// Incrementing is one compare-and-exchange of 64 bits, from any thread, without a lock or an allocation (some
/// nanoseconds when nobody else increments the same counter). Whole numbers stay exact up to 2^53.
public final class Counter: Sendable {
    private let total = AtomicDouble()

    init() {}

    /// The sum of all increments since registration.
    public var value: Double {
        total.value
    }

    /// Adds one.
    public func increment() {
        total.add(1)
    }

    /// Adds `amount`. A negative, infinite or not-a-number amount is a programming error and traps.
    public func increment(by amount: Double) {
        precondition(amount >= 0 && amount.isFinite, "a counter only grows; \(amount) is no increment")
        total.add(amount)
    }

    /// Adds a whole `amount`, say a number of bytes. A negative amount is a programming error and traps.
    public func increment(by amount: Int) {
        increment(by: Double(amount))
    }
}
