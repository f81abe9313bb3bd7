import Foundation
import TestSupport
import Testing

/// The alerts' own unit tests, by Prometheus' tool.
@Suite struct AlertRulesTests {
    @Test func alertsFireWhenTheyShould() async throws {
        let rules = packageRoot.appending(path: "config/prometheus/alerts.test.yml").path
        let result = try await CommandResult.run(
            dependencies.appending(path: "tools/promtool").path, ["test", "rules", rules])
        #expect(result.exitStatus == 0, "\(result.text)\(result.errorText)")
    }
}
