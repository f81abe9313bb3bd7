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
    let registry = MetricsRegistry()

    /// The bytes of a picture of the checkout.
    static let cat: [UInt8] = (try? Array(Data(contentsOf: packageRoot.appending(path: "docs/cat.jpg")))) ?? []

    /// The same picture in another file for each number: decoders pass over what follows its end.
    static func cat(_ number: Int) -> ImageSource {
        ImageSource(id: "\(number)", bytes: cat + Array("\(number)".utf8))
    }

    /// Compiled once: it takes longer than all the tests.
    private static let engine = Result {
        try InferenceEngine(
            model: Model(folder: dependencies.appending(path: "models/efficientnet-lite0").path))
    }

    /// - Parameters:
    ///   - streams: Of the model; with the decode threads they give the number of turns.
    ///   - cacheBytes: Nothing is kept by default, so that every picture is worked on.
    init(
        decodeThreads: Int = 2, cacheBytes: Int = 0,
        _ configuration: AnalyzerConfiguration = AnalyzerConfiguration(admission: .patient())
    ) throws {
        lane = try Lane(name: "decode", threads: decodeThreads)
        let timers = try TimerQueue()
        let cache = try AnalysisCache(
            CacheConfiguration(memoryByteLimit: cacheBytes), timers: timers, registry: registry,
            logger: Logger(format: .json, minimumLevel: .error, sink: .fileDescriptor(STDERR_FILENO)))
        analyzer = try Analyzer(
            engine: Self.engine.get(), configuration: configuration, decodeLane: lane, timers: timers,
            cache: cache, metrics: AnalysisMetrics(registry: registry),
            cancellations: CancellationMetrics(registry: registry))
    }

    /// Whether nothing waits, runs or is held any more.
    var isIdle: Bool {
        analyzer.load.waitingImages == 0 && analyzer.load.waitingBytes == 0 && analyzer.load.memoryBytes == 0
            && analyzer.load.flights == 0 && lane.queued == 0 && metric("embedd_images_in_flight") == 0
    }

    /// The value of a series, by its name with labels.
    func metric(_ series: String) -> Double? {
        String(decoding: registry.prometheusText(), as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix(series + " ") }.flatMap { Double($0.dropFirst(series.count + 1)) }
    }

    /// Runs `body` while every thread of the lane is held up.
    @discardableResult
    func withLaneHeldUp<R>(_ body: () async throws -> R) async throws -> R {
        let gate = DispatchSemaphore(value: 0)
        let lane = lane
        let holders = (0..<lane.threads).map { _ in Task { try await lane.run { _ in gate.wait() } } }
        while lane.running < lane.threads { await Task.yield() }
        let result: Result<R, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        for _ in holders { gate.signal() }
        for holder in holders { try await holder.value }
        return try result.get()
    }

    /// How many pictures have their turn at a time.
    var turns: Int {
        (try? max(lane.threads, Self.engine.get().configuration.streams) + 1) ?? 0
    }

    /// How the model's pictures are prepared.
    static var preparation: Preparation {
        get throws { try Preparation(engine.get().model.card.recipe, mode: .fast) }
    }
}
