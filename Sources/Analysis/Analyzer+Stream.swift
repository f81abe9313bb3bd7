import Scheduling

extension Analyzer {
    /// A stream's images that are taken on at a time, for each that is worked on: enough that one is there when a turn
    /// comes.
    private static let windowPerTurn = 2

    /// Analyses a stream of any length in constant memory: a sliding window of child tasks, each of which hands its
    /// outcome on as soon as it is there, in no order.
    ///
    /// - Parameters:
    ///   - items: Asked for the next item when there is room for it.
    ///   - report: Called by the child tasks, several at a time, with the item's position from 0. While it suspends,
    ///     the item keeps its room, so that a slow reader slows the intake.
    /// - Throws: What `items` and `report` throw, and `CancellationError`; then the children have been cancelled and
    ///   have ended.
    public func analyze<Items: AsyncSequence & Sendable>(
        stream items: Items, _ urgency: Urgency = .batch,
        report: @escaping @Sendable (Int, ImageOutcome) async throws -> Void
    ) async throws where Items.Element == ImageItem {
        try await Intake.run { intake in
            let window = CancellableSemaphore(permits: self.work.admission.turns * Self.windowPerTurn)
            try await withThrowingDiscardingTaskGroup { group in
                var iterator = items.makeAsyncIterator()
                var count = 0
                while true {
                    try await window.acquire()
                    guard let item = try await iterator.next() else { break }
                    let bytes = try await self.hold(item, urgency.priority)
                    group.addTask { [count] in
                        defer { window.release() }
                        try await intake.child {
                            try await report(count, try await self.outcome(of: item, holding: bytes, urgency))
                        }
                    }
                    count += 1
                }
            }
        }
    }

    /// Waits until there is room for the item's file among those of all streams.
    private func hold(_ item: ImageItem, _ priority: WaitPriority) async throws -> HeldPermit {
        let bytes = min(item.byteCount, streamBytes.permits)
        try await streamBytes.acquire(bytes, priority: priority)
        return HeldPermit(of: streamBytes, weight: bytes)
    }

    /// Gives the file's room back before the outcome is handed on, which a slow reader may take long for.
    private func outcome(
        of item: ImageItem, holding bytes: HeldPermit, _ urgency: Urgency
    ) async throws -> ImageOutcome {
        defer { bytes.release() }
        return try await outcome(of: item, urgency)
    }
}
