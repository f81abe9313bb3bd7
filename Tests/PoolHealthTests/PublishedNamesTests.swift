import Foundation
import Telemetry
import TestSupport
import Testing

@testable import PoolHealth

/// The alerts, the dashboard and the documentation may only speak of series that there are.
@Suite struct PublishedNamesTests {
    private static let prefixes = ["swift_", "container_", "host_", "clock_"]

    private let served: Set<String> = {
        let registry = MetricsRegistry()
        _ = PoolMetrics(registry: registry, ledger: CulpritLedger())
        let text = String(decoding: registry.prometheusText(), as: UTF8.self)
        let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            String(line.prefix { $0 != "{" && $0 != " " })
        }
        let families = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { line in
            String(line.split(separator: " ")[2])
        }
        return Set(samples + families)
    }()

    @Test(arguments: ["config/prometheus/alerts.yml", "config/grafana/embedd.json", "docs/pool-health.md"])
    func namesExist(file: String) throws {
        let text = try String(contentsOf: packageRoot.appending(path: file), encoding: .utf8)
        let words = Set(text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }.map(String.init))
        let names = words.filter { word in
            Self.prefixes.contains { word.hasPrefix($0) } && word.split(separator: "_").count > 2
        }
        #expect(!names.isEmpty)
        let functions: Set = ["swift_job_run", "host_paused"]
        for name in names.subtracting(functions).subtracting(["swift_pool_"]) {
            #expect(served.contains(name), "\(file) speaks of \(name)")
        }
    }

    @Test func everySeriesIsThereAtZero() {
        for name in [
            #"swift_pool_stalls_total{pool="default",cause="blocked"}"#,
            #"swift_pool_stall_seconds_total{pool="process",cause="host_paused"}"#,
            #"swift_pool_workers{pool="overcommit",state="blocked"}"#,
            #"swift_pool_blocked_workers{pool="utility",wait="connect"}"#,
            #"swift_pool_probes_total{lane="timer",priority="background",result="late"}"#,
            #"swift_gcd_threads_created_total{root="user_initiated_overcommit"}"#,
        ] {
            let registry = MetricsRegistry()
            _ = PoolMetrics(registry: registry, ledger: CulpritLedger())
            #expect(String(decoding: registry.prometheusText(), as: UTF8.self).contains("\n\(name) 0\n"))
        }
    }

    @Test func everyMetricIsDocumented() throws {
        let text = try String(contentsOf: packageRoot.appending(path: "docs/pool-health.md"), encoding: .utf8)
        let suffixes = ["_bucket", "_sum", "_count"]
        for name in served where !suffixes.contains(where: name.hasSuffix) {
            #expect(text.contains("`\(name)`"), "\(name)")
        }
    }
}
