import Foundation
import TestSupport

/// h11, run live by `h11_reference.py`.
enum H11 {
    struct Answer: Decodable {
        let verdict: String
        let reason: String?
        let method: String?
        let target: String?
        let headers: [[String]]?
        let body: String?
        let rest: String?
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// One answer for each request, in order.
    static func answers(to requests: [[UInt8]]) async throws -> [Answer] {
        let script = packageRoot.appending(path: "Tests/HTTPWireTests/Differential/h11_reference.py").path
        let lines = requests.map { "{\"request\": \"\(hexadecimal($0))\"}\n" }.joined()
        let result = try await CommandResult.run(python, [script], input: Data(lines.utf8))
        guard result.exitStatus == 0 else {
            throw Failure(description: "h11_reference.py failed: \(result.errorText)")
        }
        return try result.output.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Answer.self, from: $0)
        }
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension H11.Answer {
    /// The message that h11 accepted, in our terms; nil if it didn't.
    var message: Verdict.Message? {
        guard let method, let target, let headers, let body, let rest else { return nil }
        return Verdict.Message(
            method: method, target: Self.normalized(target), headers: headers, body: Self.bytes(body),
            rest: Self.bytes(rest))
    }

    /// An absolute URI with its scheme in lower case and the path that it may leave out (RFC 9110 section 4.2.3).
    private static func normalized(_ target: String) -> String {
        let lower = target.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lower.hasPrefix($0) }) else { return target }
        let rest = target.dropFirst(scheme.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let path = rest[end...]
        return "http://" + rest[..<end] + (path.hasPrefix("/") ? "" : "/") + path
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8).map { UInt8($0 < 0x60 ? $0 - 0x30 : $0 - 0x57) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
