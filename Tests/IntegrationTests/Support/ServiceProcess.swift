import Foundation
import Testing

/// The real binary, running on a free port of its own.
final class ServiceProcess: Sendable {
    let port: Int
    let processIdentifier: pid_t
    private let logFile: URL

    private init(port: Int, processIdentifier: pid_t, logFile: URL) {
        self.port = port
        self.processIdentifier = processIdentifier
        self.logFile = logFile
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts the service, hands it to `body`, and stops it with SIGTERM; a service that doesn't end by itself, or not
    /// with exit status 0, fails the test.
    /// - Parameter launcher: A program, with its arguments, that is given the command line to become it.
    static func run<Value>(
        _ flags: [String] = [], environment: [String: String] = [:], launcher: [String] = [],
        _ body: (ServiceProcess) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "embedd-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let logFile = folder.appending(path: "log")
        _ = FileManager.default.createFile(atPath: logFile.path, contents: nil)

        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            launcher + [
                serviceBinary.path, "serve", "--server.port", "0", "--models.path",
                dependencies.appending(path: "models").path,
                "--inference.cache_path", dependencies.appending(path: "cache").path, "--log.format", "json",
            ] + flags
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: logFile)
        let (ended, endedContinuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { endedContinuation.yield($0.terminationStatus) }
        try process.run()

        // The log's line "ready" names the port; an empty log, a crash or a hang is told by the end of the process.
        let killer = Task {
            try await Task.sleep(for: .seconds(120))
            kill(process.processIdentifier, SIGKILL)
        }
        defer { killer.cancel() }
        var port: Int?
        while port == nil, process.isRunning {
            port = (try? events(in: logFile))?.first { $0["event"] as? String == "ready" }?["port"] as? Int
            try? await Task.sleep(for: .milliseconds(10))
        }
        guard let port else {
            throw StartFailure(log: String(decoding: try Data(contentsOf: logFile), as: UTF8.self))
        }
        let service = ServiceProcess(port: port, processIdentifier: process.processIdentifier, logFile: logFile)
        let result: Result<Value, any Error>
        do { result = .success(try await body(service)) } catch { result = .failure(error) }
        // A test may have stopped it: a second signal would end it at once, with another status.
        if !service.log.contains("\"event\":\"stopping\"") { kill(process.processIdentifier, SIGTERM) }
        for await status in ended {
            #expect(status == 0, "the service ended with \(status): \(service.log.suffix(2000))")
            break
        }
        return try result.get()
    }

    struct StartFailure: Error { let log: String }

    /// The whole log so far.
    var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }

    /// The log's lines so far, each a JSON object.
    func events() throws -> [[String: Any]] { try Self.events(in: logFile) }

    private static func events(in file: URL) throws -> [[String: Any]] {
        let data = try Data(contentsOf: file)
        guard let end = data.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        return try data[..<end].split(separator: UInt8(ascii: "\n")).map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line))
            return try #require(object as? [String: Any], "not a JSON line: \(String(decoding: line, as: UTF8.self))")
        }
    }

    /// Posts a file with curl.
    func post(_ file: URL, to target: String = "/v1/embed", _ arguments: [String] = []) async throws -> Answer {
        try await Curl.answer(arguments + ["--data-binary", "@\(file.path)", url + target])
    }

    /// Asks with GET.
    func get(_ target: String) async throws -> Answer {
        try await Curl.answer([url + target])
    }

    /// A series of `/metrics` by its name with labels, as it stands there; nil if there is none.
    func metric(_ series: String) async throws -> Double? {
        try await get("/metrics").text.split(separator: "\n").first { $0.hasPrefix(series + " ") }
            .flatMap { Double($0.dropFirst(series.count + 1)) }
    }

    /// Asks for a series until it has a value.
    func wait(for series: String, toBe value: Double) async throws {
        try await untilTrue { try await metric(series) == value }
    }
}
