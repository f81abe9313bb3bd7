/// The single flight's promises in the plainest form: an array of runs, searched from the front.
struct FlightModel {
    struct Run {
        /// The waiter whose work it is.
        let leader: Int
        let key: Int
        var waiters: [Int]
    }

    /// Runs that somebody waits for, and those that everybody has left but that have not ended.
    private(set) var awaited: [Run] = []
    private(set) var abandoned: [Run] = []

    var waiters: [Int] { awaited.flatMap(\.waiters) }

    /// Returns whether the waiter's work is started.
    mutating func join(_ waiter: Int, key: Int) -> Bool {
        if let index = awaited.firstIndex(where: { $0.key == key }) {
            awaited[index].waiters.append(waiter)
            return false
        }
        awaited.append(Run(leader: waiter, key: key, waiters: [waiter]))
        return true
    }

    /// Returns whose run nobody waits for any more.
    mutating func leave(_ waiter: Int) -> Int? {
        guard let index = awaited.firstIndex(where: { $0.waiters.contains(waiter) }) else { return nil }
        awaited[index].waiters.removeAll { $0 == waiter }
        guard awaited[index].waiters.isEmpty else { return nil }
        let run = awaited.remove(at: index)
        abandoned.append(run)
        return run.leader
    }

    /// Returns who gets the run's result.
    mutating func end(leader: Int) -> [Int] {
        abandoned.removeAll { $0.leader == leader }
        guard let index = awaited.firstIndex(where: { $0.leader == leader }) else { return [] }
        return awaited.remove(at: index).waiters
    }
}
