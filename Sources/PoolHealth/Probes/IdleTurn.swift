/// Which idle pool is asked in a tick, and in which ways.
///
/// A pool whose threads are all parked would answer: to ask it means to wake a thread up for nothing, so it is done
/// seldom, pool by pool. Each time in two of the four ways, which wake one thread of each of the pool's root queues:
/// both ways at once would keep two threads alive, or have Dispatch start and end one each time.
struct IdleTurn {
    private let pool: Pool
    private let lanes: [ProbeLane]

    /// - Parameters:
    ///   - tick: counts from 0.
    ///   - round: ticks after which it is the same pool's turn again.
    /// - Returns: `nil` if it is no pool's turn.
    init?(tick: Int, round: Int) {
        let turn = Pool.ofTasks.first { $0.index * round / Pool.ofTasks.count == tick % round }
        guard let turn else { return nil }
        pool = turn
        lanes = (tick / round).isMultiple(of: 2) ? [.task, .timer] : [.gcdGlobal, .gcdSerial]
    }

    /// Whether the pool of this priority is asked on this lane.
    func includes(_ lane: ProbeLane, _ priority: Pool) -> Bool {
        priority == pool && lanes.contains(lane)
    }
}
