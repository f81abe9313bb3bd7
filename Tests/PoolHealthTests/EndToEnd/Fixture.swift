import Foundation
import TestSupport

/// The fixture program, running, and what it says about itself.
struct Fixture: Sendable {
    struct StartFailure: Error { let log: String }

    /// Whether ThreadSanitizer is in this build: it puts functions of its own between a program and the calls that
    /// block, and those would be the culprits.
    static let isSanitized = dlsym(nil, "__tsan_init") != nil

    struct Frame: Decodable, Sendable {
        let function: String
        let file: String?
        let line: Int?
    }

    struct Culprit: Decodable, Sendable {
        let site: String
        let wait: String?
        let threads: Int
        let frames: [Frame]
    }

    struct Request: Decodable, Sendable {
        let id: String
        let stage: String
    }

    struct Stall: Decodable, Sendable {
        let number: Int
        let pool: String
        let cause: String
        let confidence: Double
        let began: Double
        let duration: Double?
        let severe: Bool
        let culprits: [Culprit]
        let requests: [Request]
    }

    struct Stalls: Decodable { let stalls: [Stall] }

    struct Pools: Decodable {
        struct Pool: Decodable {
            let pool: String
            let blocked: Int
            let running: Int
            let runnable: Int
        }
        let mode: String?
        let parking_known: Bool
        let pools: [Pool]
    }

    let child: ChildProcess
    let client: AdminClient
    private let folder: TemporaryFolder

    var log: String { (try? String(contentsOf: folder.file("log"), encoding: .utf8)) ?? "" }

    /// The program, beside these tests.
    static let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "pool-health-fixture")

    /// Starts it and waits until it watches the pools.
    ///
    /// - Parameter launcher: a program, with its arguments, that is given the command line to become it.
    static func start(
        _ arguments: [String] = [], binary: URL = Fixture.binary, launcher: [String] = []
    ) async throws -> Fixture {
        let folder = try TemporaryFolder()
        let command = launcher + [binary.path] + arguments
        let child = try ChildProcess(command[0], Array(command.dropFirst()), errorOutput: folder.file("log"))
        while child.currentEnding == nil {
            let text = (try? String(contentsOf: folder.file("log"), encoding: .utf8)) ?? ""
            if text.contains("\"event\":\"pool_monitor\""), let range = text.range(of: "\"port\":") {
                let digits = text[range.upperBound...].prefix { $0.isNumber }
                return Fixture(child: child, client: AdminClient(port: Int(digits) ?? 0), folder: folder)
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw StartFailure(log: (try? String(contentsOf: folder.file("log"), encoding: .utf8)) ?? "")
    }

    func stop() {
        kill(child.identifier, SIGKILL)
    }

    func stalls() async throws -> [Stall] {
        let answer = try await client.get("/debug/stalls?format=json")
        return try JSONDecoder().decode(Stalls.self, from: Data(answer.body.utf8)).stalls
    }

    func pools() async throws -> Pools {
        let answer = try await client.get("/debug/pool?format=json")
        return try JSONDecoder().decode(Pools.self, from: Data(answer.body.utf8))
    }

    /// The log's lines about an event so far; of one pool, if one is named.
    func events(_ event: String, pool: String? = nil) -> [[String: Any]] {
        log.split(separator: "\n").compactMap { line in
            guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                object["event"] as? String == event, pool == nil || object["pool"] as? String == pool
            else { return nil }
            return object
        }
    }

    /// The value of a number's field in the first line about an event.
    func number(_ field: String, ofEvent event: String, pool: String? = nil) -> Double? {
        (events(event, pool: pool).first?[field] as? NSNumber)?.doubleValue
    }

    /// What is charged to places whose name begins so.
    func culpritSeconds(at site: String) async throws -> Double {
        let metrics = try await client.get("/metrics").body.split(separator: "\n")
        return metrics.filter { $0.hasPrefix("swift_pool_culprit_seconds_total{") && $0.contains("site=\"\(site)") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }
}
