import Synchronization

/// A `Double` that many threads may change at once, without a lock: its bits live in one 64-bit atomic.
///
/// Whoever has read a change finds what the same thread has changed in other metrics before it.
struct AtomicDouble: ~Copyable, Sendable {
    private let bits: Atomic<UInt64>

    init(_ initial: Double = 0) {
        bits = Atomic(initial.bitPattern)
    }

    var value: Double {
        Double(bitPattern: bits.load(ordering: .acquiring))
    }

    func store(_ newValue: Double) {
        bits.store(newValue.bitPattern, ordering: .releasing)
    }

    /// Adds without losing a concurrent addition: retries until the sum is built on the value it replaces.
    func add(_ amount: Double) {
        var seen = bits.load(ordering: .relaxed)
        while true {
            let sum = Double(bitPattern: seen) + amount
            let (exchanged, current) = bits.weakCompareExchange(
                expected: seen, desired: sum.bitPattern, ordering: .acquiringAndReleasing)
            if exchanged { return }
            seen = current
        }
    }
}
