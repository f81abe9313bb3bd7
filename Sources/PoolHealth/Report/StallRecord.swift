/// What is kept of a stall.
public struct StallRecord: Sendable, Equatable {
    /// Counts stalls from 1 since the process's start.
    public let number: Int
    /// Which pool stood still; `process` for all of it.
    public let pool: String
    /// Why, and how surely.
    public internal(set) var verdict: Verdict
    /// Since 1970.
    public let began: Duration
    /// `nil` while it lasts.
    public internal(set) var duration: Duration?
    /// Whether it lasted for two seconds.
    public internal(set) var isSevere: Bool
    /// Where the pool's threads were blocked, the most threads first.
    public internal(set) var culprits: [Culprit]
    /// What the program's own lanes were doing when it was noticed.
    public let lanes: [LaneLine]
    /// The oldest requests in flight when it was noticed.
    public let requests: [InFlightEntry]

    /// - Parameter began: since 1970.
    init(_ stall: Stall, began: Duration, lanes: [LaneLine], requests: [InFlightEntry]) {
        number = stall.number
        pool = stall.poolName
        verdict = stall.verdict
        self.began = began
        duration = stall.duration
        isSevere = stall.isSevere
        culprits = []
        self.lanes = lanes
        self.requests = requests
    }
}
