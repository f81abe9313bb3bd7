import Scheduling
import TestSupport
import Testing

@Suite struct CancellableSemaphoreTests {
    private struct Broken: Error {}

    @Test func letsThroughAsManyAsItHasPermits() async throws {
        let semaphore = CancellableSemaphore(permits: 3)
        try await semaphore.acquire()
        try await semaphore.acquire(2)
        #expect(semaphore.available == 0)
        #expect(semaphore.waiting == 0)
        let third = Task { try await semaphore.acquire(2, priority: .batch) }
        try await eventually("the third waits") { semaphore.waiting == 1 }
        #expect(semaphore.waiting(.batch) == 1)
        #expect(semaphore.waiting(.interactive) == 0)
        semaphore.release(1)
        #expect(semaphore.waiting == 1)
        semaphore.release(2)
        try await third.value
        #expect(semaphore.available == 1)
    }

    @Test func wakesInTheOrderOfArrival() async throws {
        let semaphore = CancellableSemaphore(permits: 1)
        try await semaphore.acquire()
        let order = EventLog<Int>()
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    try await semaphore.acquire()
                    order.append(number)
                    semaphore.release()
                }
                try await eventually("\(number) waits") { semaphore.waiting == number + 1 }
            }
            semaphore.release()
            try await group.waitForAll()
        }
        #expect(order.events == Array(0..<50))
        #expect(semaphore.available == 1)
    }

    @Test func refusesAWeightThatItCanNeverServe() async {
        let semaphore = CancellableSemaphore(permits: 2)
        await #expect(throws: SemaphoreError.weightExceedsPermits(weight: 3, permits: 2)) {
            try await semaphore.acquire(3)
        }
        #expect(semaphore.available == 2)
    }

    @Test func aTaskCancelledBeforeItComesGetsNothing() async {
        let semaphore = CancellableSemaphore(permits: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await semaphore.acquire()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(semaphore.available == 1)
    }

    @Test func aTaskCancelledWhileItWaitsLeavesAtOnce() async throws {
        let semaphore = CancellableSemaphore(permits: 1)
        try await semaphore.acquire()
        let task = Task { try await semaphore.acquire() }
        try await eventually("it waits") { semaphore.waiting == 1 }
        task.cancel()
        // Nothing is released meanwhile: it can only end by its cancellation.
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(semaphore.waiting == 0)
        semaphore.release()
        #expect(semaphore.available == 1)
    }

    @Test func aHeavyWaiterThatIsCancelledLetsTheLightOnesGo() async throws {
        let semaphore = CancellableSemaphore(permits: 3)
        try await semaphore.acquire(2)
        let heavy = Task { try await semaphore.acquire(3) }
        try await eventually("the heavy one waits") { semaphore.waiting == 1 }
        let light = Task { try await semaphore.acquire(1) }
        try await eventually("the light one waits behind it") { semaphore.waiting == 2 }
        heavy.cancel()
        try await light.value
        await #expect(throws: CancellationError.self) { try await heavy.value }
        #expect(semaphore.available == 0)
    }

    @Test func aTaskCancelledAfterItsGrantOwnsItsPermits() async throws {
        let semaphore = CancellableSemaphore(permits: 1)
        let acquired = ResumeOnce<Void>()
        let task = Task {
            try await semaphore.acquire()
            acquired.resume()
            while !Task.isCancelled { await Task.yield() }
        }
        try await acquired.value()
        task.cancel()
        try await task.value
        #expect(semaphore.available == 0)
        semaphore.release()
        #expect(semaphore.available == 1)
    }

    @Test func withPermitsReleasesHoweverItsBodyEnds() async throws {
        let semaphore = CancellableSemaphore(permits: 2)
        let held = try await semaphore.withPermits(2) { semaphore.available }
        #expect(held == 0)
        #expect(semaphore.available == 2)
        await #expect(throws: Broken.self) {
            try await semaphore.withPermits(2) { throw Broken() }
        }
        #expect(semaphore.available == 2)
        let cancelled = Task {
            try await semaphore.withPermits {
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
            }
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(semaphore.available == 2)
    }

    @Test @MainActor func runsTheBodyWhereItsCallerRuns() async throws {
        let semaphore = CancellableSemaphore(permits: 1)
        var counter = 0
        try await semaphore.withPermits {
            MainActor.assertIsolated()
            counter += 1
        }
        #expect(counter == 1)
    }

    /// Grants and cancellations race here in every phase, the one between entering the line and suspending included.
    @Test func losesNoPermitWhereGrantsAndCancellationsRace() async throws {
        let permits = 5
        let semaphore = CancellableSemaphore(permits: permits)
        let held = Count()
        let granted = Count()
        let refused = Count()
        let seed = RandomRun.seed
        var random = SeededGenerator(seed: seed)
        let tasks = 4_000
        await withTaskGroup { group in
            for number in 0..<tasks {
                let weight = Int.random(in: 1...permits, using: &random)
                let priority: WaitPriority = Bool.random(using: &random) ? .interactive : .batch
                let yields = Int.random(in: 0...3, using: &random)
                let task = Task {
                    do {
                        try await semaphore.acquire(weight, priority: priority)
                    } catch {
                        #expect(error is CancellationError)
                        refused.add(1)
                        return
                    }
                    let total = held.add(weight)
                    #expect(total <= permits, "seed \(seed)")
                    granted.add(1)
                    await Task.yield()
                    held.add(-weight)
                    semaphore.release(weight)
                }
                group.addTask {
                    if number.isMultiple(of: 2) {
                        for _ in 0..<yields { await Task.yield() }
                        task.cancel()
                    }
                    await task.value
                }
            }
        }
        #expect(granted.value + refused.value == tasks, "seed \(seed)")
        #expect(granted.value >= tasks / 2, "seed \(seed)")
        #expect(semaphore.available == permits, "seed \(seed)")
        #expect(semaphore.waiting == 0, "seed \(seed)")
    }
}
