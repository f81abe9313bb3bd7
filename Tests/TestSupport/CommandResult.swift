import Foundation

/// What a program printed, and how it ended.
package struct CommandResult: Sendable {
    package let ending: ChildProcess.Ending
    package let output: Data
    package let errorOutput: Data

    /// The exit status; nil if a signal ended the program.
    package var exitStatus: Int32? {
        if case .exited(let status) = ending { status } else { nil }
    }

    package var text: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

    /// Runs a program to its end on a thread of its own.
    ///
    /// - Parameter input: What it reads from its standard input.
    package static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: Data = Data()
    ) async throws -> CommandResult {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try runBlocking(program, arguments, environment: environment, input: input) })
            }
        }
    }

    /// Runs a program to its end on this thread.
    ///
    /// - Parameter input: What it reads from its standard input.
    package static func runBlocking(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: Data = Data()
    ) throws -> CommandResult {
        // Files instead of pipes: a pipe that nobody empties would stop the program.
        let folder = try TemporaryFolder()
        let child = try ChildProcess(
            program, arguments, environment: environment, input: try folder.write("input", input),
            output: folder.file("output"), errorOutput: folder.file("error"))
        let ending = child.waitUntilEnded()
        return CommandResult(
            ending: ending, output: try content(of: folder.file("output")),
            errorOutput: try content(of: folder.file("error")))
    }

    /// Not by `Data(contentsOf:)`, which leaks 4 KiB for each empty file.
    private static func content(of file: URL) throws -> Data {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        return try handle.readToEnd() ?? Data()
    }
}
