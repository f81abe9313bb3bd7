import Foundation
import TestSupport
import Testing

/// The real curl.
enum Curl {
    /// Runs curl with `arguments` and returns the last answer; interim answers (100) are passed over.
    static func answer(_ arguments: [String]) async throws -> Answer {
        let result = try await CommandResult.run("curl", ["--silent", "--show-error", "--include"] + arguments)
        try #require(result.exitStatus == 0, "curl: \(result.errorText)")
        return try parse(result.output)
    }

    private static func parse(_ output: Data) throws -> Answer {
        var rest = output
        while true {
            let end = try #require(rest.range(of: Data("\r\n\r\n".utf8)))
            let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            rest = rest[end.upperBound...]
            let status = try #require(Int(lines[0].split(separator: " ")[1]))
            guard status >= 200 else { continue }
            let fields = lines.dropFirst().map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
            }
            return Answer(status: status, fields: fields, body: Data(rest))
        }
    }
}
