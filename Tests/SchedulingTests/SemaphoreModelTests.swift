import Scheduling
import TestSupport
import Testing

/// Random arrivals, cancellations and releases, one at a time; after each the semaphore and a plain model have to agree
/// on who was granted, who was refused and who waits.
@Suite struct SemaphoreModelTests {
    private enum Outcome: Hashable {
        case granted(Int)
        case cancelled(Int)
    }

    private static let permits = 6
    private static let mostWaiters = 40

    @Test func agreesWithAPlainModelInAnyOrderOfSteps() async throws {
        let seed = RandomRun.seed
        var random = SeededGenerator(seed: seed)
        let semaphore = CancellableSemaphore(permits: Self.permits)
        var model = SemaphoreModel(permits: Self.permits)
        let outcomes = EventLog<Outcome>()
        var tasks: [Int: Task<Void, Never>] = [:]
        var observed: Set<Outcome> = []

        func settle(_ expected: [Outcome], step: Int) async throws {
            observed = []
            try await eventually("seed \(seed), step \(step): \(expected) come out and \(model.waiters) wait") {
                observed.formUnion(outcomes.drain())
                return observed.count >= expected.count && semaphore.waiting == model.waiters.count
            }
            #expect(observed == Set(expected), "seed \(seed), step \(step)")
            #expect(semaphore.available == model.available, "seed \(seed), step \(step)")
        }

        func start(_ waiter: SemaphoreModel.Waiter, cancelledFirst: Bool) -> Task<Void, Never> {
            Task {
                if cancelledFirst {
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                do {
                    try await semaphore.acquire(waiter.weight, priority: waiter.priority)
                    outcomes.append(.granted(waiter.id))
                } catch {
                    outcomes.append(.cancelled(waiter.id))
                }
            }
        }

        for step in 0..<RandomRun.steps {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4 where model.waiters.count < Self.mostWaiters:
                let waiter = SemaphoreModel.Waiter(
                    id: step, weight: Int.random(in: 1...Self.permits, using: &random),
                    priority: Int.random(in: 0..<3, using: &random) == 0 ? .batch : .interactive)
                tasks[step] = start(waiter, cancelledFirst: false)
                try await settle(model.arrive(waiter).map { .granted($0) }, step: step)
            case 4:
                let waiter = SemaphoreModel.Waiter(id: step, weight: 1, priority: .interactive)
                tasks[step] = start(waiter, cancelledFirst: true)
                try await settle([.cancelled(step)], step: step)
            case 5, 6:
                guard let waiter = model.waiters.randomElement(using: &random) else { continue }
                tasks[waiter.id]?.cancel()
                let granted = model.leave(id: waiter.id)
                try await settle([.cancelled(waiter.id)] + granted.map { .granted($0) }, step: step)
            case 7:
                // Too late to matter: whoever was granted its permits owns them.
                guard let holder = model.holders.randomElement(using: &random) else { continue }
                tasks[holder.id]?.cancel()
                try await settle([], step: step)
            default:
                guard let holder = model.holders.randomElement(using: &random) else { continue }
                let granted = model.release(id: holder.id)
                semaphore.release(holder.weight)
                try await settle(granted.map { .granted($0) }, step: step)
            }
        }

        while let holder = model.holders.first {
            let granted = model.release(id: holder.id)
            semaphore.release(holder.weight)
            try await settle(granted.map { .granted($0) }, step: RandomRun.steps)
        }
        for task in tasks.values {
            await task.value
        }
        #expect(semaphore.available == Self.permits, "seed \(seed)")
        #expect(semaphore.waiting == 0, "seed \(seed)")
        #expect(outcomes.count == 0, "seed \(seed)")
    }
}
