/// A time in which a pool answered no probe. Instants are on the monotonic clock, since the monitor's start.
struct Stall: Sendable, Equatable {
    /// Counts stalls from 1.
    let number: Int
    /// `nil` when the whole process stood still.
    let pool: Pool?
    /// Later by each pause of the process meanwhile, which doesn't count.
    var start: Duration
    var verdict: Verdict
    var isSevere = false
    /// `nil` while it lasts.
    var end: Duration?

    /// `nil` while it lasts.
    var duration: Duration? { end.map { $0 - start } }

    /// Its value of the label `pool`.
    var poolName: String { pool?.rawValue ?? Self.wholeProcess }

    static let wholeProcess = "process"
}
