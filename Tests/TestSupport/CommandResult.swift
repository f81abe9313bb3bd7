import Foundation

/// What a program printed, and how it ended.
public struct CommandResult: Sendable {
    public let ending: ChildProcess.Ending
    public let output: Data
    public let errorOutput: Data

    /// The exit status; nil if a signal ended the program.
    public var exitStatus: Int32? {
        if case .exited(let status) = ending { status } else { nil }
    }

    public var text: String { String(decoding: output, as: UTF8.self) }
    public var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

    /// Runs a program to its end on a thread of its own.
    public static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> CommandResult {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try runBlocking(program, arguments, environment: environment) })
            }
        }
    }

    /// Runs a program to its end on this thread.
    ///
    /// - Parameter input: What it reads from its standard input.
    public static func runBlocking(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: Data = Data()
    ) throws -> CommandResult {
        // Files instead of pipes: a pipe that nobody empties would stop the program.
        let folder = try TemporaryFolder()
        let child = try ChildProcess(
            program, arguments, environment: environment, input: try folder.write("input", input),
            output: folder.file("output"), errorOutput: folder.file("error"))
        let ending = child.waitUntilEnded()
        return CommandResult(
            ending: ending, output: try Data(contentsOf: folder.file("output")),
            errorOutput: try Data(contentsOf: folder.file("error")))
    }
}
