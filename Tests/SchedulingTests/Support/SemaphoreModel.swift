import Scheduling

/// The semaphore's promises in the plainest form: two arrays, searched from the front.
struct SemaphoreModel {
    struct Waiter {
        let id: Int
        let weight: Int
        let priority: WaitPriority
    }

    private(set) var available: Int
    private(set) var waiters: [Waiter] = []
    private(set) var holders: [Waiter] = []
    private var interactiveInARow = 0

    init(permits: Int) {
        available = permits
    }

    /// Returns who is granted.
    mutating func arrive(_ waiter: Waiter) -> [Int] {
        waiters.append(waiter)
        return serve()
    }

    /// Returns who is granted.
    mutating func leave(id: Int) -> [Int] {
        waiters.removeAll { $0.id == id }
        return serve()
    }

    /// Returns who is granted.
    mutating func release(id: Int) -> [Int] {
        for holder in holders where holder.id == id {
            available += holder.weight
        }
        holders.removeAll { $0.id == id }
        return serve()
    }

    private mutating func serve() -> [Int] {
        var granted: [Int] = []
        while let next = next(), next.weight <= available {
            available -= next.weight
            waiters.removeAll { $0.id == next.id }
            holders.append(next)
            granted.append(next.id)
            let batchStandsBy = waiters.contains { $0.priority == .batch }
            interactiveInARow = next.priority == .interactive && batchStandsBy ? interactiveInARow + 1 : 0
        }
        return granted
    }

    private func next() -> Waiter? {
        let interactive = waiters.first { $0.priority == .interactive }
        let batch = waiters.first { $0.priority == .batch }
        guard let interactive, let batch else { return interactive ?? batch }
        return interactiveInARow < CancellableSemaphore.interactiveGrantsPerBatchGrant ? interactive : batch
    }
}
