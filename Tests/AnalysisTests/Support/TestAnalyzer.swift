import Analysis
import Foundation
import Imaging
import Inference
import Scheduling
import Telemetry
import TestSupport

/// An analyzer on the real model, with a lane whose threads can be held up.
struct TestAnalyzer {
    let analyzer: Analyzer
    let lane: Lane
    private let registry = MetricsRegistry()

    /// The bytes of a picture of the checkout.
    static let cat: [UInt8] = (try? Array(Data(contentsOf: packageRoot.appending(path: "docs/cat.jpg")))) ?? []

    /// Compiled once: it takes longer than all the tests.
    private static let engine = Result {
        try InferenceEngine(
            model: Model(folder: dependencies.appending(path: "models/efficientnet-lite0").path))
    }

    init(decodeThreads: Int = 2) throws {
        lane = try Lane(name: "decode", threads: decodeThreads)
        analyzer = try Analyzer(
            engine: Self.engine.get(), mode: .exact, limits: DecodeLimits(), decodeLane: lane,
            metrics: AnalysisMetrics(registry: registry))
    }

    /// The value of a series, by its name with labels.
    func metric(_ series: String) -> Double? {
        String(decoding: registry.prometheusText(), as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix(series + " ") }.flatMap { Double($0.dropFirst(series.count + 1)) }
    }

    /// Runs `body` while every thread of the lane is held up.
    func withLaneHeldUp(_ body: () async throws -> Void) async throws {
        let gate = DispatchSemaphore(value: 0)
        let lane = lane
        let holders = (0..<lane.threads).map { _ in Task { try await lane.run { _ in gate.wait() } } }
        while lane.running < lane.threads { await Task.yield() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        for _ in holders { gate.signal() }
        for holder in holders { try await holder.value }
        try result.get()
    }
}
