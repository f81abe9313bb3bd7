import Scheduling
import TestSupport
import Testing

@testable import Analysis

@Suite struct AdmissionPassTests {
    private let full = Overload(reason: .images, retryAfter: .seconds(1))

    @Test func theFirstDecidesForTheOthers() throws {
        let letIn = AdmissionPass()
        #expect(try !letIn.admit(unless: nil))
        #expect(try letIn.admit(unless: full))
        let refused = AdmissionPass()
        #expect(throws: full) { try refused.admit(unless: full) }
        #expect(throws: full) { try refused.admit(unless: nil) }
    }

    @Test func thoseWhoAskAtTheSameMomentAreAllLetInOrAllRefused() async {
        for _ in 0..<200 {
            let pass = AdmissionPass()
            let letIn = await withTaskGroup { [full] group in
                for number in 0..<8 {
                    group.addTask { (try? pass.admit(unless: number.isMultiple(of: 2) ? full : nil)) != nil }
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(letIn.count == 1)
        }
    }

    @Test func noneIsLetInOnceOneWasRefused() async throws {
        let test = try TestAdmission(.patient(images: 1))
        let urgency = Urgency.interactive().sharing(AdmissionPass())
        let waiting = try await test.withTurnHeld {
            let waiting = try await test.wait()
            await #expect(throws: Overload.self) { try await test.admission.withTurn(for: 1, urgency) {} }
            return waiting
        }
        try await waiting.value
        // Its turn is free, but nobody waits for the group any more.
        let refusal = await #expect(throws: Overload.self) {
            try await test.admission.withTurn(for: 1, urgency) { Issue.record("it was let in") }
        }
        #expect(refusal?.reason == .images)
        // It has left the turn to others.
        try await test.admission.withTurn(for: 1, .interactive()) {}
    }

    @Test func theImageByWhichTheOthersAreLetInWaitsNoLongerThanOneAlone() async throws {
        let test = try TestAdmission(AdmissionLimits(timeout: .milliseconds(20)))
        let urgency = Urgency.interactive().sharing(AdmissionPass())
        try await test.withTurnHeld {
            let refusal = await #expect(throws: Overload.self) {
                // The limit is only there to turn a hang into a failure.
                try await test.timers.withDeadline(.seconds(60)) {
                    try await test.admission.withTurn(for: 1, urgency) {}
                }
            }
            #expect(refusal?.reason == .timeout)
        }
        await #expect(throws: Overload.self) { try await test.admission.withTurn(for: 1, urgency) {} }
    }

    @Test func anImageThatWasPromisedItsTurnWaitsForAsLongAsThatTakes() async throws {
        let limit = Duration.milliseconds(20)
        let test = try TestAdmission(AdmissionLimits(timeout: limit))
        let urgency = Urgency.interactive().sharing(AdmissionPass())
        let promised = try await test.withTurnHeld(urgency) {
            let promised = try await test.wait(urgency)
            // A timer that comes after its own has, had it one.
            let later = ResumeOnce<Void>()
            test.timers.schedule(at: .now + limit * 2) { later.resume() }
            try await later.value()
            return promised
        }
        try await promised.value
    }
}
