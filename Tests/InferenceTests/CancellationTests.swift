import Inference
import Scheduling
import TestSupport
import Testing

/// What a cancelled inference leaves behind: a request that the next one can use, and nothing of itself.
struct CancellationTests {
    /// Far above what any step here takes; only a hang reaches it.
    private static let hangGuard = Duration.seconds(60)

    @Test func throwsWithoutInferringWhenCancelledBefore() async throws {
        let engine = try TestModel.engine()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await engine.infer(TestModel.picture(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(engine.idleRequests == 2)
    }

    @Test func leavesTheLineAtOnceWhenCancelledInIt() async throws {
        let engine = try TestModel.engine(InferenceConfiguration(streams: 1, threads: 1))
        await withTaskGroup(of: Void.self) { group in
            // Keeps the only stream busy until everything else is done.
            group.addTask {
                while !Task.isCancelled {
                    _ = try? await engine.infer(TestModel.picture(1))
                }
            }
            let queued = (0..<32).map { index in
                Task { try await engine.infer(TestModel.picture(UInt8(index))) }
            }
            await wait(for: engine.waiting >= 16)
            for task in queued {
                task.cancel()
            }
            for task in queued {
                _ = await task.result
            }
            group.cancelAll()
        }
        #expect(engine.waiting == 0)
        #expect(engine.idleRequests == 1)
    }

    /// Cancelled as soon as it holds a request, many times over, so that it is met before, in and after the start.
    @Test func endsEarlyWhenCancelledWhileItRuns() async throws {
        let engine = try TestModel.engine(InferenceConfiguration(streams: 1, threads: 1))
        var cancelled = 0
        for round in 0..<40 {
            // Set at the end: one that is through before it was seen to run is not waited for.
            let ended = CancellationFlag()
            let task = Task {
                defer { ended.cancel() }
                return try await engine.infer(TestModel.picture(UInt8(round)))
            }
            await wait(for: engine.idleRequests == 0 || ended.isCancelled)
            task.cancel()
            if case .failure(let error) = await task.result {
                #expect(error is CancellationError)
                cancelled += 1
            }
            #expect(engine.idleRequests == 1)
        }
        #expect(cancelled > 0)
    }

    @Test func isAsGoodAsNewAfterTwoHundredRandomCancellations() async throws {
        let engine = try TestModel.engine()
        let picture = TestModel.picture(99)
        let before = try await engine.infer(picture).vector
        var generator = SeededGenerator(seed: RandomRun.seed)
        var tasks: [Task<InferenceResult, any Error>] = []
        for index in 0..<200 {
            tasks.append(Task { try await engine.infer(TestModel.picture(UInt8(index))) })
            for _ in 0..<Int.random(in: 0..<200, using: &generator) {
                await Task.yield()
            }
            tasks.randomElement(using: &generator)?.cancel()
        }
        for task in tasks {
            task.cancel()
        }
        for task in tasks {
            if case .failure(let error) = await task.result {
                #expect(error is CancellationError)
            }
        }
        #expect(engine.idleRequests == 2)
        #expect(engine.waiting == 0)
        for _ in 0..<4 {
            #expect(try await engine.infer(picture).vector == before)
        }
    }

    /// A neighbour's cancellation must never reach an inference that nobody cancelled, though they share requests.
    @Test func neverHitsANeighbour() async throws {
        let engine = try TestModel.engine()
        let pictures = (0..<4).map { TestModel.picture(UInt8($0)) }
        let expected = try pictures.map { try engine.inferBlocking($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (picture, vector) in zip(pictures, expected) {
                group.addTask {
                    for _ in 0..<12 {
                        let found = try await engine.infer(picture).vector
                        #expect(found == vector)
                    }
                }
            }
            for index in 0..<120 {
                let doomed = Task { try await engine.infer(TestModel.picture(UInt8(index))) }
                for _ in 0..<(index % 50) {
                    await Task.yield()
                }
                doomed.cancel()
                _ = await doomed.result
            }
            try await group.waitForAll()
        }
        #expect(engine.idleRequests == 2)
    }

    /// An inference takes far longer than this limit, so its request counts as stalled, and the next one gets a new
    /// request. Where the timer's thread gets no processor before the inference has ended, it is tried again.
    @Test func givesUpARequestThatStalls() async throws {
        let engine = try TestModel.engine(
            InferenceConfiguration(streams: 1, threads: 1, stallLimit: .microseconds(1)))
        var stalls = 0
        for _ in 0..<50 where stalls < 2 {
            do {
                _ = try await engine.infer(TestModel.picture(1))
            } catch {
                #expect(error as? InferenceError == .stalled(after: .microseconds(1)))
                stalls += 1
                #expect(engine.idleRequests == 0)
                #expect(engine.abandonedRequests == stalls)
            }
        }
        #expect(stalls == 2)
        #expect(try engine.inferBlocking(TestModel.picture(1)).count == 1280)
    }

    private func wait(for condition: @autoclosure () -> Bool) async {
        let start = ContinuousClock.now
        while !condition() {
            guard ContinuousClock.now - start < Self.hangGuard else {
                Issue.record("nothing happened for \(Self.hangGuard)")
                return
            }
            await Task.yield()
        }
    }
}
