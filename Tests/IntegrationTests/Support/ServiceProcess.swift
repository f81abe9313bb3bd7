import Foundation
import TestSupport
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
        let folder = try TemporaryFolder()
        let logFile = folder.file("log")
        let arguments =
            launcher + [
                serviceBinary.path, "serve", "--server.port", "0", "--admin.port", "0", "--models.path",
                dependencies.appending(path: "models").path,
                "--inference.cache_path", dependencies.appending(path: "cache").path, "--log.format", "json",
            ] + flags
        let process = try ChildProcess(
            arguments[0], Array(arguments.dropFirst()), environment: poolStrict.merging(environment) { $1 },
            errorOutput: logFile)
        // A service that hangs ends all the same, and the test with it.
        let killer = Task {
            try await Task.sleep(for: .seconds(300))
            if process.currentEnding == nil { kill(process.identifier, SIGKILL) }
        }
        defer { killer.cancel() }

        // The log's line "ready" names the port.
        var port: Int?
        while port == nil {
            if let ending = process.currentEnding {
                throw StartFailure(ending: ending, log: String(decoding: try Data(contentsOf: logFile), as: UTF8.self))
            }
            port = (try? events(in: logFile))?.first { $0["event"] as? String == "ready" }?["port"] as? Int
            try? await Task.sleep(for: .milliseconds(10))
        }
        let service = ServiceProcess(port: port ?? 0, processIdentifier: process.identifier, logFile: logFile)
        let result: Result<Value, any Error>
        do { result = .success(try await body(service)) } catch { result = .failure(error) }
        // A test may have stopped it: a second signal would end it at once, with another status.
        if !service.log.contains("\"event\":\"stopping\"") { kill(process.identifier, SIGTERM) }
        let end = await process.ended()
        #expect(end == .exited(0), "the service \(end): \(service.log.suffix(2000))")
        return try result.get()
    }

    /// With POOL_STRICT=`library` in the environment the service aborts when a task blocks its thread; see `make
    /// test-strict`.
    private static let poolStrict: [String: String] = {
        guard let library = ProcessInfo.processInfo.environment["POOL_STRICT"] else { return [:] }
        return ["LD_PRELOAD": library]
    }()

    /// The service ended before it was ready.
    struct StartFailure: Error {
        let ending: ChildProcess.Ending
        let log: String
    }

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
        try await metrics([series])[0]
    }

    /// Several series, as they are at one time.
    func metrics(_ series: [String]) async throws -> [Double?] {
        let lines = try await get("/metrics").text.split(separator: "\n")
        return series.map { name in
            lines.first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
        }
    }

    /// Descriptors that the service has open, but for those by which the pool monitor looks at its threads.
    func openDescriptors() throws -> Int {
        let folder = "/proc/\(processIdentifier)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
            // One that has been closed meanwhile is none.
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)") else {
                return false
            }
            return !target.hasPrefix("/proc/")
        }.count
    }

    /// The work that was given up, by "stage,reason"; what is zero is left out.
    func cancellations() async throws -> [String: Double] {
        let pattern = /embedd_cancelled_total\{stage="(\w+)",reason="(\w+)"\} (\d+)/
        return try await get("/metrics").text.matches(of: pattern).reduce(into: [:]) { found, match in
            if let count = Double(match.3), count > 0 { found["\(match.1),\(match.2)"] = count }
        }
    }

    /// Asks for a series until it has a value.
    func wait(for series: String, toBe value: Double) async throws {
        try await untilTrue { try await metric(series) == value }
    }
}
