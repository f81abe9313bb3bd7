import Synchronization

/// Says to blocking code that nobody waits for its result any more.
///
/// A task can't be asked from inside a C callback or a row loop whether it was cancelled; this flag can. It goes from
/// "not cancelled" to "cancelled" once and never back.
///
/// Memory ordering: `cancel()` is a releasing store and `isCancelled` an acquiring load, so whoever reads `true` also
/// sees everything that the canceller wrote before. The load is one plain instruction on x86-64 and on arm64: polling
/// it on every row of an image costs nothing that can be measured. A poll that races with `cancel()` may still read
/// `false`; the next one reads `true`.
public final class CancellationFlag: Sendable {
    private let cancelled = Atomic<Bool>(false)

    /// A flag that is not cancelled.
    public init() {}

    /// Whether `cancel()` was called. Safe and cheap on any thread, never blocks.
    public var isCancelled: Bool {
        cancelled.load(ordering: .acquiring)
    }

    /// Cancels; calling it again changes nothing. Safe on any thread, never blocks.
    public func cancel() {
        cancelled.store(true, ordering: .releasing)
    }
}
