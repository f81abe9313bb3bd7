import Foundation
import TestSupport
import Testing

/// What somebody runs who has just checked this out.
@Suite struct ScriptTests {
    @Test func theLineThatIsPrintedWorksAsPasted() async throws {
        // Somebody else may take the port before the service does.
        for _ in 0..<3 {
            guard let answer = try await answerToThePrintedLine(port: FreePort.find()) else { continue }
            let object = try #require(try JSONSerialization.jsonObject(with: answer) as? [String: Any])
            #expect((object["embedding"] as? [Double])?.count == 1280)
            return
        }
        Issue.record("no port was free")
    }

    /// Nil if the service ended before it was ready.
    private func answerToThePrintedLine(port: Int) async throws -> Data? {
        let folder = try TemporaryFolder()
        let output = folder.file("output")
        let service = try ChildProcess(
            packageRoot.appending(path: "scripts/run").path,
            [serviceBinary.path, "--server.port", "\(port)", "--admin.port", "0"], output: output,
            errorOutput: folder.file("log"))
        defer { kill(service.identifier, SIGTERM) }
        var line: Substring?
        while line == nil {
            guard service.currentEnding == nil else { return nil }
            let text = try String(contentsOf: output, encoding: .utf8)
            line = text.split(separator: "\n").first { $0.contains("curl ") && text.hasSuffix("\n\n") }
            try await Task.sleep(for: .milliseconds(10))
        }
        let command = try #require(line)
        #expect(command.contains("localhost:\(port)/v1/embed"))
        let pasted = try await CommandResult.run(
            "bash", ["-c", "cd '\(packageRoot.path)' && \(command) --silent --show-error"])
        #expect(pasted.exitStatus == 0, "\(pasted.errorText)")
        kill(service.identifier, SIGTERM)
        let ending = await service.ended()
        // Another program took the port first, and answered.
        if ending == .exited(1) { return nil }
        #expect(ending == .exited(0))
        return pasted.output
    }

    @Test func setUpSaysThatSwiftIsMissing() async throws {
        let tools = try TemporaryFolder()
        for tool in ["bash", "cat", "dirname", "flock", "head", "mkdir", "sed", "sort"] {
            let found = try await CommandResult.run("bash", ["-c", "command -v \(tool)"])
            let path = found.text.trimmingCharacters(in: .newlines)
            try FileManager.default.createSymbolicLink(atPath: tools.file(tool).path, withDestinationPath: path)
        }
        let result = try await CommandResult.run(
            "bash", [packageRoot.appending(path: "scripts/setup").path], environment: ["PATH": tools.url.path])
        #expect(result.exitStatus == 1)
        #expect(
            result.errorText == "setup: found Swift nowhere: install 6.3 from https://www.swift.org/install/linux/\n")
    }
}
