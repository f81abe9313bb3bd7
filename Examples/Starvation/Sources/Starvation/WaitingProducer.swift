import Dispatch
import Scheduling

/// A synchronous computation that hands its results to tasks, and waits when they don't keep up. As many of them as
/// the pool is wide take all of its threads, and the tasks that would take the results never run.
enum WaitingProducer {
    private static let results = 100

    static func show(on stage: Stage) throws -> Bool {
        let producers = stage.poolWidth
        stage.title("2. A computation that waits for its own consumers")

        stage.form("naive: \(producers) tasks compute, and wait for consumers that need the same threads")
        let isDiagnosed = stage.starve(culprit: "waitForRoom()") {
            let buffers = (0..<producers).map { _ in Buffer() }
            for buffer in buffers { Task.detached { produce(into: buffer) } }
            for buffer in buffers { Task.detached { await consume(from: buffer) } }
        }

        stage.form("cured: they compute on a Lane, whose threads may wait; the consumers have the pool")
        let lane = try Lane(name: "compute", threads: producers)
        let (consumed, isWell) = stage.watch {
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<producers {
                    let buffer = Buffer()
                    group.addTask {
                        async let production: Void? = try? lane.run { _ in produce(into: buffer) }
                        let count = await consume(from: buffer)
                        await production
                        return count
                    }
                }
                return await group.reduce(0, +)
            }
        }
        stage.say("consumed", "\(consumed) results")
        return isDiagnosed && isWell && consumed == producers * results
    }

    /// Synchronous, as a decoder or a parser is.
    private static func produce(into buffer: Buffer) {
        for number in 0..<results {
            guard buffer.waitForRoom() else { break }
            buffer.append(compute(number))
        }
        buffer.finish()
    }

    private static func compute(_ number: Int) -> Int {
        let end = ContinuousClock.now + .milliseconds(5)
        var result = number
        while ContinuousClock.now < end { result &+= 1 }
        return result
    }

    private static func consume(from buffer: Buffer) async -> Int {
        var count = 0
        for await _ in buffer.stream {
            buffer.makeRoom()
            count += 1
        }
        return count
    }

    /// Room for a few results; the producer has to wait for more.
    private struct Buffer: Sendable {
        private static let capacity = 4
        /// Really there is no such thing, and the process stands still until somebody ends it.
        private static let endOfDemonstration = DispatchTimeInterval.milliseconds(1_500)

        let stream: AsyncStream<Int>
        private let input: AsyncStream<Int>.Continuation
        // Begins at 0 and not at its capacity, since Dispatch ends a program that destroys one below its first value.
        private let room = DispatchSemaphore(value: 0)

        init() {
            (stream, input) = AsyncStream.makeStream()
            for _ in 0..<Self.capacity { room.signal() }
        }

        /// Blocks the thread.
        func waitForRoom() -> Bool {
            let outcome = room.wait(timeout: .now() + Self.endOfDemonstration)
            return outcome == .success
        }

        func makeRoom() { room.signal() }
        func append(_ number: Int) { input.yield(number) }
        func finish() { input.finish() }
    }
}
