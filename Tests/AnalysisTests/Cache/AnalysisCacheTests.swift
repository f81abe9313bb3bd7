import Foundation
import Scheduling
import Telemetry
import Testing
import Threads

@testable import Analysis

@Suite struct AnalysisCacheTests {
    private final class Lines: Sendable {
        private let bytes = Locked<[UInt8]>([])

        var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

        func append(_ lines: [UInt8]) { bytes.withLock { $0 += lines } }
    }

    private struct Fixture {
        let registry = MetricsRegistry()
        let lines = Lines()
        let logger: Logger
        let cache: AnalysisCache

        init(_ configuration: CacheConfiguration) throws {
            var configuration = configuration
            configuration.fileLookupLimit = .seconds(3_600)
            logger = Logger(format: .json, sink: LogSink { [lines] in lines.append($0) })
            cache = try AnalysisCache(
                configuration, timers: TimerQueue(), registry: registry, logger: logger)
        }

        var metrics: [String: Double] {
            let lines = String(decoding: registry.prometheusText(), as: UTF8.self).split(separator: "\n")
            return Dictionary(
                uniqueKeysWithValues: lines.filter { !$0.hasPrefix("#") }.compactMap { line in
                    let parts = line.split(separator: " ")
                    return Double(parts[1]).map { (String(parts[0]), $0) }
                })
        }
    }

    @Test func eachSeriesIsThereAtZero() throws {
        let metrics = try Fixture(CacheConfiguration()).metrics
        #expect(metrics.values.allSatisfy { $0 == 0 })
        for tier in ["memory", "file"] {
            #expect(metrics["embedd_cache_requests_total{tier=\"\(tier)\",result=\"hit\"}"] == 0)
            #expect(metrics["embedd_cache_requests_total{tier=\"\(tier)\",result=\"miss\"}"] == 0)
            #expect(metrics["embedd_cache_bytes{tier=\"\(tier)\"}"] == 0)
            #expect(metrics["embedd_cache_entries{tier=\"\(tier)\"}"] == 0)
            #expect(metrics["embedd_cache_evictions_total{tier=\"\(tier)\"}"] == 0)
        }
        let reasons = [
            "damaged_file", "other_version", "damaged_row", "read_backlog", "read_timeout", "write_backlog", "busy",
            "unavailable",
        ]
        for reason in reasons {
            #expect(metrics["embedd_cache_dropped_total{reason=\"\(reason)\"}"] == 0)
        }
    }

    @Test func looksInMemoryAndThenInTheFile() async throws {
        let folder = try CacheFolder()
        let configuration = CacheConfiguration(path: folder.path)
        let first = try Fixture(configuration)
        #expect(await first.cache.value(for: CacheSamples.key(1)) == nil)
        first.cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        for _ in 0..<2 {
            #expect(await first.cache.value(for: CacheSamples.key(1)) == CacheSamples.analysis(1))
        }
        #expect(first.metrics["embedd_cache_requests_total{tier=\"memory\",result=\"hit\"}"] == 2)
        #expect(first.metrics["embedd_cache_requests_total{tier=\"memory\",result=\"miss\"}"] == 1)
        #expect(first.metrics["embedd_cache_requests_total{tier=\"file\",result=\"miss\"}"] == 1)
        await first.cache.close()

        let second = try Fixture(configuration)
        for _ in 0..<2 {
            #expect(await second.cache.value(for: CacheSamples.key(1)) == CacheSamples.analysis(1))
        }
        #expect(second.metrics["embedd_cache_requests_total{tier=\"memory\",result=\"hit\"}"] == 1)
        #expect(second.metrics["embedd_cache_requests_total{tier=\"file\",result=\"hit\"}"] == 1)
        #expect(second.metrics["embedd_cache_entries{tier=\"memory\"}"] == 1)
        #expect(second.metrics["embedd_cache_entries{tier=\"file\"}"] == 1)
    }

    @Test func withoutMemoryTheFileAnswers() async throws {
        let folder = try CacheFolder()
        let fixture = try Fixture(CacheConfiguration(memoryByteLimit: 0, path: folder.path))
        fixture.cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await fixture.cache.value(for: CacheSamples.key(1)) == CacheSamples.analysis(1))
        #expect(fixture.metrics["embedd_cache_requests_total{tier=\"memory\",result=\"miss\"}"] == 0)
    }

    @Test func withoutEitherItIsOff() async throws {
        let fixture = try Fixture(CacheConfiguration(memoryByteLimit: 0))
        fixture.cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await fixture.cache.value(for: CacheSamples.key(1)) == nil)
    }

    @Test func aDroppedFileIsToldInOneLine() async throws {
        let folder = try CacheFolder()
        try Data("this was never a database, and it is longer than a header".utf8)
            .write(to: URL(fileURLWithPath: folder.path))
        let fixture = try Fixture(CacheConfiguration(path: folder.path))
        #expect(await fixture.cache.value(for: CacheSamples.key(1)) == nil)
        #expect(fixture.metrics["embedd_cache_dropped_total{reason=\"damaged_file\"}"] == 1)
        #expect(fixture.logger.flush(timeout: .seconds(60)))
        let lines = fixture.lines.text.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.contains("\"event\":\"cache_file_dropped\"") == true)
        #expect(lines.first?.contains("\"reason\":\"damaged_file\"") == true)
    }
}
