import TestSupport
import Testing

/// `embedd chaos`, which tells what the pool monitor sees of a fault.
enum ChaosDrill {
    /// Runs it, and again where the machine itself stood still meanwhile or was busy: then that is what is reported,
    /// and truly.
    ///
    /// - Parameters:
    ///   - words: What follows `chaos`.
    ///   - launcher: A program, with its arguments, that is given the command line to become it.
    static func run(
        _ words: [String], binary: String = serviceBinary.path, launcher: [String] = []
    ) async throws -> CommandResult {
        let command = launcher + [binary, "chaos"] + words
        var result: CommandResult?
        try await MachineWatch.untilJudged(words.joined(separator: " ")) { machine in
            let ran = try await CommandResult.run(command[0], Array(command.dropFirst()))
            result = ran
            if machine.wasBusy { return .machineWasBusy }
            return ran.text.contains("host_paused") ? .pausedUnseen : .judged
        }
        return try #require(result)
    }
}
