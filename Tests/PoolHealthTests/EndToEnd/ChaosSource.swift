import Foundation
import TestSupport

/// Where in the source of the faults their blocking calls are: what the culprits' lines have to be.
enum ChaosSource {
    /// The line of the first call of `call` inside of `function`.
    static func line(of call: String, in function: String) throws -> Int? {
        let file = packageRoot.appending(path: "Sources/PoolHealth/Chaos/Chaos.swift")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.contains("func \(function)(") }) else { return nil }
        return lines[start...].firstIndex { $0.contains(call + "(") }.map { $0 + 1 }
    }
}
