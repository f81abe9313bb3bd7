import Foundation
import TestSupport
import Testing

/// The alerts' own unit tests, if Debian's `prometheus` is installed.
@Suite struct AlertRulesTests {
    private static let promtool = ["/usr/bin/promtool", "/usr/local/bin/promtool"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(.enabled(if: promtool != nil, "no promtool here"))
    func alertsFireWhenTheyShould() async throws {
        let rules = packageRoot.appending(path: "config/prometheus/alerts.test.yml").path
        let result = try await CommandResult.run(try #require(Self.promtool), ["test", "rules", rules])
        #expect(result.exitStatus == 0, "\(result.text)\(result.errorText)")
    }
}
