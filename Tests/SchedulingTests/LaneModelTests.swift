import Scheduling
import TestSupport
import Testing

/// Random arrivals, cancellations and ends of jobs, one at a time; after each the lane and a plain model have to agree
/// on which jobs run, which wait and how each ended.
@Suite struct LaneModelTests {
    private enum Event: Hashable {
        case started(Int)
        case returned(Int, flagWasSet: Bool)
        case failed(Int)
        case cancelled(Int)
    }

    private struct Failed: Error {}

    private struct Job {
        let id: Int
        let fails: Bool
        var flagIsSet = false
    }

    private static let threads = 3
    private static let mostQueued = 20

    @Test func agreesWithAPlainModelInAnyOrderOfSteps() async throws {
        let seed = RandomRun.seed
        var random = SeededGenerator(seed: seed)
        let lane = try Lane(name: "model", threads: Self.threads)
        let events = EventLog<Event>()
        var controls: [Int: JobControl] = [:]
        var tasks: [Int: Task<Void, Never>] = [:]
        var queued: [Job] = []
        var running: [Job] = []

        func settle(_ expected: [Event], step: Int) async throws {
            var observed: Set<Event> = []
            try await eventually("seed \(seed), step \(step): \(expected) happen") {
                observed.formUnion(events.drain())
                return observed.count >= expected.count && lane.queued == queued.count
                    && lane.running == running.count
            }
            #expect(observed == Set(expected), "seed \(seed), step \(step)")
        }

        func start(_ job: Job, control: JobControl) -> Task<Void, Never> {
            Task {
                do {
                    let flagWasSet = try await lane.run { flag in
                        events.append(.started(job.id))
                        control.hold(flag)
                        if job.fails { throw Failed() }
                        return flag.isCancelled
                    }
                    events.append(.returned(job.id, flagWasSet: flagWasSet))
                } catch is Failed {
                    events.append(.failed(job.id))
                } catch {
                    events.append(.cancelled(job.id))
                }
            }
        }

        func startQueued() -> [Event] {
            var started: [Event] = []
            while running.count < Self.threads, !queued.isEmpty {
                let next = queued.removeFirst()
                running.append(next)
                started.append(.started(next.id))
            }
            return started
        }

        func finish(at index: Int, step: Int) async throws {
            let job = running.remove(at: index)
            controls.removeValue(forKey: job.id)?.letEnd()
            let end: Event = job.fails ? .failed(job.id) : .returned(job.id, flagWasSet: job.flagIsSet)
            try await settle([end] + startQueued(), step: step)
            await tasks.removeValue(forKey: job.id)?.value
        }

        for step in 0..<RandomRun.steps {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<3 where queued.count < Self.mostQueued:
                let job = Job(id: step, fails: Int.random(in: 0..<4, using: &random) == 0)
                let control = JobControl()
                controls[step] = control
                queued.append(job)
                tasks[step] = start(job, control: control)
                try await settle(startQueued(), step: step)
            case 3:
                guard let index = queued.indices.randomElement(using: &random) else { continue }
                let job = queued.remove(at: index)
                controls[job.id] = nil
                tasks[job.id]?.cancel()
                try await settle([.cancelled(job.id)], step: step)
                await tasks.removeValue(forKey: job.id)?.value
            case 4:
                guard let index = running.indices.randomElement(using: &random) else { continue }
                running[index].flagIsSet = true
                let id = running[index].id
                tasks[id]?.cancel()
                // The task may be just about to suspend; its cancellation handler runs then.
                try await eventually("seed \(seed), step \(step): the flag of \(id) is set") {
                    controls[id]?.flagIsSet == true
                }
                try await settle([], step: step)
            default:
                guard let index = running.indices.randomElement(using: &random) else { continue }
                try await finish(at: index, step: step)
            }
        }

        lane.shutDown()
        while !running.isEmpty {
            try await finish(at: 0, step: RandomRun.steps)
        }
        await lane.ended()
        #expect(tasks.isEmpty, "seed \(seed)")
        #expect(events.count == 0, "seed \(seed)")
        #expect(lane.queued == 0, "seed \(seed)")
        #expect(lane.running == 0, "seed \(seed)")
    }
}
