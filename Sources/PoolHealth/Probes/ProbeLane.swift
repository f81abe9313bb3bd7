/// A way in which work reaches a thread of a pool.
public enum ProbeLane: String, Sendable, CaseIterable {
    /// A detached task.
    case task
    /// A block on Dispatch's global queue.
    case gcdGlobal = "gcd_global"
    /// A block on a serial queue.
    case gcdSerial = "gcd_serial"
    /// A block that a serial queue runs at a given time.
    case timer
}
