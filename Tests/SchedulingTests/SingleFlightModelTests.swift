import Scheduling
import TestSupport
import Testing

/// Random arrivals, departures, successes and failures, one at a time, over few keys; runs that everybody has left end
/// whenever it pleases them, with a result too. After each step the flight and a plain model have to agree on whose
/// work runs, who waits and what each was given.
@Suite struct SingleFlightModelTests {
    private enum Event: Hashable {
        case started(Int)
        case returned(Int, ofRun: Int, role: FlightRole)
        case failed(Int)
        case cancelled(Int)
        case abandonedRunEnded
    }

    private static let keys = 4
    private static let mostWaiters = 30
    private static let mostAbandoned = 10

    @Test func agreesWithAPlainModelInAnyOrderOfSteps() async throws {
        let seed = RandomRun.seed
        var random = SeededGenerator(seed: seed)
        let events = EventLog<Event>()
        let flight = SingleFlight<Int, Int>(abandonedRunEnded: { _ in events.append(.abandonedRunEnded) })
        var model = FlightModel()
        var controls: [Int: RunControl] = [:]
        var tasks: [Int: Task<Void, Never>] = [:]

        func settle(_ expected: [Event], step: Int) async throws {
            var observed: [Event] = []
            try await eventually("seed \(seed), step \(step): \(expected) happen and \(model.awaited) fly") {
                observed += events.drain()
                return observed.count >= expected.count && flight.waiting == model.waiters.count
            }
            #expect(Set(observed) == Set(expected), "seed \(seed), step \(step)")
            #expect(observed.count == expected.count, "seed \(seed), step \(step)")
            #expect(flight.inFlight == model.awaited.count, "seed \(seed), step \(step)")
            #expect(flight.abandoned == model.abandoned.count, "seed \(seed), step \(step)")
        }

        func start(_ waiter: Int, key: Int, cancelledFirst: Bool = false) {
            let control = RunControl()
            controls[waiter] = control
            tasks[waiter] = Task {
                if cancelledFirst {
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                do {
                    let outcome = try await flight.run(key) {
                        events.append(.started(waiter))
                        try await control.hold()
                        return waiter
                    }
                    events.append(.returned(waiter, ofRun: outcome.value, role: outcome.role))
                } catch is CancellationError {
                    events.append(.cancelled(waiter))
                } catch {
                    events.append(.failed(waiter))
                }
            }
        }

        func end(_ leader: Int, failing: Bool, step: Int) async throws {
            let isAbandoned = model.abandoned.contains { $0.leader == leader }
            let served = model.end(leader: leader)
            controls.removeValue(forKey: leader)?.letEnd(failing: failing)
            let outcomes: [Event] = served.map { waiter in
                failing
                    ? .failed(waiter) : .returned(waiter, ofRun: leader, role: waiter == leader ? .leader : .joined)
            }
            try await settle(isAbandoned ? [.abandonedRunEnded] : outcomes, step: step)
            for waiter in served {
                await tasks.removeValue(forKey: waiter)?.value
            }
        }

        for step in 0..<RandomRun.steps {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4 where model.waiters.count < Self.mostWaiters:
                let key = Int.random(in: 0..<Self.keys, using: &random)
                let leads = model.join(step, key: key)
                start(step, key: key)
                try await settle(leads ? [.started(step)] : [], step: step)
                if !leads { controls[step] = nil }
            case 4:
                start(step, key: 0, cancelledFirst: true)
                controls[step] = nil
                try await settle([.cancelled(step)], step: step)
                await tasks.removeValue(forKey: step)?.value
            case 5..<8 where model.abandoned.count < Self.mostAbandoned:
                guard let waiter = model.waiters.randomElement(using: &random) else { continue }
                let abandoned = model.leave(waiter)
                tasks[waiter]?.cancel()
                try await settle([.cancelled(waiter)], step: step)
                await tasks.removeValue(forKey: waiter)?.value
                if let abandoned {
                    try await eventually("seed \(seed), step \(step): the run of \(abandoned) is cancelled") {
                        controls[abandoned]?.isCancelled == true
                    }
                }
                #expect(
                    model.awaited.allSatisfy { controls[$0.leader]?.isCancelled == false },
                    "seed \(seed), step \(step)")
            case 8:
                guard let run = model.abandoned.randomElement(using: &random) else { continue }
                try await end(run.leader, failing: Bool.random(using: &random), step: step)
            default:
                guard let run = model.awaited.randomElement(using: &random) else { continue }
                try await end(run.leader, failing: Int.random(in: 0..<3, using: &random) == 0, step: step)
            }
        }

        while let run = model.awaited.first ?? model.abandoned.first {
            try await end(run.leader, failing: false, step: RandomRun.steps)
        }
        #expect(tasks.isEmpty, "seed \(seed)")
        #expect(events.count == 0, "seed \(seed)")
        #expect(controls.isEmpty, "seed \(seed)")
    }
}
