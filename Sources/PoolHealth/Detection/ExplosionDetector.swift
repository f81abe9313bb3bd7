/// Sees a root queue's threads multiply, while they do.
struct ExplosionDetector: Sendable {
    /// How the threads multiply.
    enum Kind: String, Sendable {
        /// A second at a time: blocked jobs of a global queue, which Dispatch tries to help.
        case creep
        /// All at once: a blocked job in each of many serial queues.
        case burst
    }

    /// Ticks looked back on.
    private static let history = 40
    /// Threads in excess of the width, added over the whole history one at a time, that make a creep.
    private static let creepGrowth = 3
    /// Threads that a creep adds between two ticks, at most.
    private static let creepStep = 2
    /// Threads added within ``burstTicks`` that make a burst.
    private static let burstGrowth = 32
    private static let burstTicks = 10

    private let width: Int
    private var counts: [Int] = []

    init(width: Int) {
        self.width = width
    }

    /// - Parameters:
    ///   - threads: of one root queue.
    ///   - ticks: how many have passed since the last call; before this one there were as many threads as then.
    /// - Returns: how they multiply, if they do at this tick.
    mutating func observe(threads: Int, ticks: Int = 1) -> Kind? {
        if let last = counts.last {
            for _ in 0..<min(ticks - 1, Self.history) { add(last) }
        }
        add(threads)
        if threads >= Self.burstGrowth, let lowest = counts.suffix(Self.burstTicks).min(),
            threads - lowest >= Self.burstGrowth
        {
            return .burst
        }
        guard counts.count == Self.history, threads > width + Self.creepGrowth,
            threads - counts[0] >= Self.creepGrowth,
            zip(counts, counts.dropFirst()).allSatisfy({ (0...Self.creepStep).contains($1 - $0) })
        else { return nil }
        return .creep
    }

    private mutating func add(_ threads: Int) {
        if counts.count == Self.history { counts.removeFirst() }
        counts.append(threads)
    }
}
