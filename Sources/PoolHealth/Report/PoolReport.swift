/// The state of all pools at the last tick.
struct PoolReport: Sendable {
    struct Line: Sendable {
        let pool: Pool
        var census = PoolCensus()
        var waits: [WaitKind: Int] = [:]
        var stall: Stall?
        var isAtRisk = false
    }

    struct ProbeLine: Sendable {
        let lane: ProbeLane
        let priority: Pool
        /// Of the last answer.
        var latency: Duration?
        /// Since the oldest question without an answer.
        var age: Duration = .zero
    }

    /// `nil` until the self-test is done.
    var mode: MonitorMode?
    var isParkingKnown = false
    var width = 0
    var quota: Double?
    var uptime = Duration.zero
    var pools: [Line] = Pool.allCases.map { Line(pool: $0) }
    /// The program's own.
    var lanes: [LaneLine] = []
    var probes: [ProbeLine] = []
    /// By the index of the root queue.
    var threadsPerRoot: [Int] = []
    /// Since the start, by the index of the root queue.
    var createdPerRoot: [Int] = []
    var explosions: [String] = []
}
