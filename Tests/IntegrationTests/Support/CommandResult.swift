import Foundation

/// What a program printed, and how it ended.
struct CommandResult {
    let exitStatus: Int32
    let output: Data
    let errorOutput: Data

    var text: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

    /// Runs a program to its end on a thread of its own.
    static func run(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> CommandResult {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try runBlocking(executable, arguments, environment) })
            }
        }
    }

    private static func runBlocking(
        _ executable: String, _ arguments: [String], _ environment: [String: String]
    ) throws -> CommandResult {
        let folder = FileManager.default.temporaryDirectory.appending(path: "embedd-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files instead of pipes: a pipe that nobody empties would stop the program.
        let outputFile = folder.appending(path: "output")
        let errorFile = folder.appending(path: "error")
        for file in [outputFile, errorFile] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [executable] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        process.waitUntilExit()
        return CommandResult(
            exitStatus: process.terminationStatus, output: try Data(contentsOf: outputFile),
            errorOutput: try Data(contentsOf: errorFile))
    }
}
