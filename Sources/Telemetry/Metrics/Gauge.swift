/// A number that goes up and down: requests in flight, permits free.
///
/// Every operation is lock-free, without an allocation, and callable from any thread.
public final class Gauge: Sendable {
    private let current = AtomicDouble()

    init() {}

    /// The present value.
    public var value: Double {
        current.value
    }

    /// Replaces the value.
    public func set(_ value: Double) {
        current.store(value)
    }

    /// Adds `amount`, which may be negative. Concurrent additions all count.
    public func add(_ amount: Double) {
        current.add(amount)
    }
}
