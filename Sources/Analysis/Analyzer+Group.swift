import Scheduling

extension Analyzer {
    /// Analyses a group: a child task for each image, begun as it arrives; results in the items' order.
    ///
    /// The first image that asks for its turn decides whether the group is refused, with which it takes in no more. No
    /// more of its images stand in the line at a time than can be worked on, so that a group of hundreds takes turns
    /// with other requests instead of being served before them.
    ///
    /// - Parameter allArrived: Called when `items` has ended, while the images are still worked on.
    /// - Throws: ``Overload``; what `items` throws; `CancellationError`. Then the children have been cancelled and
    ///   have ended. What else goes wrong with one image is its own outcome and doesn't throw.
    public func analyze<Items: AsyncSequence & Sendable>(
        group items: Items, _ urgency: Urgency = .interactive(), allArrived: @escaping @Sendable () -> Void = {}
    ) async throws -> [ImageOutcome] where Items.Element == ImageItem {
        let urgency = urgency.sharing(AdmissionPass())
        return try await Intake.run { intake in
            let places = CancellableSemaphore(permits: self.work.admission.turns)
            return try await withThrowingTaskGroup(of: (Int, ImageOutcome).self) { group in
                var count = 0
                for try await item in items {
                    let index = count
                    group.addTask {
                        try await intake.child {
                            try await places.withPermits { (index, try await self.outcome(of: item, urgency)) }
                        }
                    }
                    count += 1
                }
                // Where the intake was cancelled, the items may just have ended.
                try Task.checkCancellation()
                allArrived()
                var outcomes = [ImageOutcome?](repeating: nil, count: count)
                for try await (index, outcome) in group {
                    outcomes[index] = outcome
                }
                return outcomes.compactMap(\.self)
            }
        }
    }
}
