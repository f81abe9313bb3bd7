/// What the threads of one of the program's own lanes were doing, at one look.
public struct LaneLine: Sendable, Equatable {
    /// The lane's name.
    public let lane: String
    /// Its threads by what they are doing; parked is without a job.
    var census = PoolCensus()
    /// The blocked ones by what they wait for.
    var waits: [WaitKind: Int] = [:]

    init(lane: String) {
        self.lane = lane
    }

    /// Its threads, whatever they are doing.
    public var threads: Int { census.busy + census.parked }
    /// Those with a job.
    public var busy: Int { census.busy }

    /// Such as `decode: 1 running, 1 blocked (read)`; `nil` without a thread that has a job.
    var busyInWords: String? {
        guard busy > 0 else { return nil }
        let counts = [("running", census.running), ("runnable", census.runnable), ("blocked", census.blocked)]
        let kinds = WaitKind.allCases.filter { waits[$0] != nil }.map(\.rawValue)
        let waiting = kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
        return "\(lane): " + counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ") + waiting
            + " of \(threads)"
    }
}
