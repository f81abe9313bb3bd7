import Foundation
import Testing

@testable import Telemetry

struct ProcessMetricsTests {
    private func scrape(procDirectory: String) throws -> [String: Double] {
        let registry = MetricsRegistry()
        ProcessMetrics.register(in: registry, procDirectory: procDirectory)
        let lines = String(decoding: registry.prometheusText(), as: UTF8.self).split(separator: "\n")
        let samples = try lines.filter { !$0.hasPrefix("#") }.map { line in
            let words = line.split(separator: " ")
            return (String(words[0]), try #require(Double(words[1])))
        }
        return Dictionary(uniqueKeysWithValues: samples)
    }

    @Test func theProcessDescribesItself() throws {
        let samples = try scrape(procDirectory: "/proc/self")
        #expect(
            samples.keys.sorted() == [
                "process_cpu_seconds_total", "process_max_fds", "process_open_fds", "process_resident_memory_bytes",
                "process_start_time_seconds", "process_threads", "process_virtual_memory_bytes",
            ])
        let resident = try #require(samples["process_resident_memory_bytes"])
        #expect(resident > 1_000_000)
        #expect(resident < (samples["process_virtual_memory_bytes"] ?? 0))
        #expect((samples["process_cpu_seconds_total"] ?? 0) > 0)
        #expect((samples["process_threads"] ?? 0) >= 1)
        let openDescriptors = try #require(samples["process_open_fds"])
        #expect((3...(samples["process_max_fds"] ?? 0)).contains(openDescriptors))
        let age = Date().timeIntervalSince1970 - (samples["process_start_time_seconds"] ?? 0)
        #expect((-1...86_400).contains(age))
    }

    @Test func withoutProcItsMetricsAreAbsent() throws {
        let samples = try scrape(procDirectory: "/nonexistent")
        #expect(samples.keys.sorted() == ["process_cpu_seconds_total", "process_max_fds"])
    }

    @Test func aProgramNameWithSpacesAndParenthesesIsSkipped() {
        let status = ProcessStatus(
            "42 (a) b (c)) S 1 42 42 0 -1 4194560 2463 0 3 0 11 12 13 14 20 0 7 0 987654 1234567 321 18446744073709551615 1"
        )
        #expect(status?.threads == 7)
        #expect(status?.startTicks == 987_654)
        #expect(status?.virtualBytes == 1_234_567)
        #expect(status?.residentPages == 321)
        #expect(ProcessStatus("42 (a) S 1 42") == nil)
        #expect(ProcessStatus("") == nil)
    }
}
