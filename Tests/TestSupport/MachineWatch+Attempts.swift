extension MachineWatch {
    /// What came of one try of something that only a quiet machine lets be judged.
    package enum Attempt: Sendable {
        /// It was judged, well or ill.
        case judged
        /// Others had the processors meanwhile.
        case machineWasBusy
        /// The program says that it stood still, and nobody else has noticed.
        case pausedUnseen
    }

    /// Nothing could be judged.
    package struct NeverJudged: Error {
        let what: String
        let lastAttempt: Attempt
    }

    /// So often something is tried.
    private static let mostAttempts = 10
    /// A hypervisor may hold up the one processor that a program's monitor is on, but not each time: a program that
    /// often reports pauses which there are not is wrong.
    private static let mostUnseenPauses = 2

    /// Tries until it was judged.
    package static func untilJudged(
        _ what: String, _ attempt: (MachineWatch) async throws -> Attempt
    ) async throws {
        var unseenPauses = 0
        var last = Attempt.judged
        for _ in 0..<mostAttempts where unseenPauses <= mostUnseenPauses {
            let machine = MachineWatch()
            defer { machine.stop() }
            last = try await attempt(machine)
            if case .judged = last { return }
            if case .pausedUnseen = last { unseenPauses += 1 }
        }
        throw NeverJudged(what: what, lastAttempt: last)
    }
}
