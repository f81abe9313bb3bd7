/// Who holds how many permits, who waits, and whose turn it is: the semaphore's rules without a task or a lock.
///
/// The turn is the head of the interactive line, or the head of the batch line if nobody interactive waits or if
/// ``interactiveGrantsPerBatchGrant`` interactive waiters in a row were served while a batch waiter stood by. Nobody
/// overtakes the one whose turn it is, not even with a smaller weight.
struct PermitLedger<Waiter> {
    /// A waiter's place in the lines.
    struct Place: Hashable, Sendable {
        fileprivate let priority: WaitPriority
        fileprivate let ticket: WaitingLine<Waiting>.Ticket
    }

    fileprivate struct Waiting {
        let waiter: Waiter
        let weight: Int
    }

    /// How many permits there are in all.
    let permits: Int
    private let interactiveGrantsPerBatchGrant: Int

    private(set) var available: Int
    private var interactive = WaitingLine<Waiting>()
    private var batch = WaitingLine<Waiting>()
    private var interactiveGrantsInARow = 0

    init(permits: Int, interactiveGrantsPerBatchGrant: Int) {
        self.permits = permits
        self.interactiveGrantsPerBatchGrant = interactiveGrantsPerBatchGrant
        available = permits
    }

    func waiting(_ priority: WaitPriority) -> Int {
        switch priority {
        case .interactive: interactive.count
        case .batch: batch.count
        }
    }

    /// Takes permits if they are there and nobody at all waits; otherwise changes nothing.
    mutating func takeIfNobodyWaits(_ weight: Int) -> Bool {
        guard interactive.isEmpty, batch.isEmpty, weight <= available else { return false }
        available -= weight
        interactiveGrantsInARow = 0
        return true
    }

    /// Puts a waiter at the end of its line. ``serve()`` must follow: it may be its turn already.
    mutating func enqueue(_ waiter: Waiter, weight: Int, priority: WaitPriority) -> Place {
        let waiting = Waiting(waiter: waiter, weight: weight)
        return Place(priority: priority, ticket: withLine(priority) { $0.append(waiting) })
    }

    /// Gives permits back. ``serve()`` must follow.
    ///
    /// - Precondition: no more come back than were taken.
    mutating func giveBack(_ weight: Int) {
        precondition(weight <= permits - available, "more permits released than acquired")
        available += weight
    }

    /// Takes a waiter out of its line; `nil` if it was served or removed before. ``serve()`` must follow: it may have
    /// been the one whose turn it was, too heavy for what is available.
    mutating func remove(_ place: Place) -> Waiter? {
        withLine(place.priority) { $0.remove(place.ticket) }?.waiter
    }

    /// Takes out, in order, everybody who can go now, and moves their permits to them.
    mutating func serve() -> [Waiter] {
        var served: [Waiter] = []
        while let waiter = serveNext() {
            served.append(waiter)
        }
        return served
    }

    private mutating func serveNext() -> Waiter? {
        let priority = turn
        guard let head = withLine(priority, { $0.head }), head.weight <= available else { return nil }
        _ = withLine(priority) { $0.removeHead() }
        available -= head.weight
        let overtookBatch = priority == .interactive && !batch.isEmpty
        interactiveGrantsInARow = overtookBatch ? interactiveGrantsInARow + 1 : 0
        return head.waiter
    }

    private var turn: WaitPriority {
        if batch.isEmpty { return .interactive }
        if interactive.isEmpty { return .batch }
        return interactiveGrantsInARow < interactiveGrantsPerBatchGrant ? .interactive : .batch
    }

    private mutating func withLine<R>(
        _ priority: WaitPriority, _ body: (inout WaitingLine<Waiting>) -> R
    ) -> R {
        switch priority {
        case .interactive: body(&interactive)
        case .batch: body(&batch)
        }
    }
}
