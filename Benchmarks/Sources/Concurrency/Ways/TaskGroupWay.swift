import Analysis
import Imaging
import Inference
import Scheduling
import Telemetry
import Threads

/// This project's task group: `Analyzer.analyze(stream:)`, as `POST /v1/batch` uses it. Without its cache, which would
/// find nothing.
final class TaskGroupWay: Way {
    /// How often is looked whether the last threads have let go after the group has ended.
    private static let pollInterval = Duration.microseconds(100)

    private let analyzer: Analyzer
    private let decodeLane: Lane
    private let vectors = Locked<[Int: [Float]]>([:])
    private let hasEnded = ThreadSemaphore()
    private var task: Task<Void, Never>?

    init(_ engine: InferenceEngine) throws {
        let registry = MetricsRegistry()
        decodeLane = try Lane(name: "decode", threads: UsableCores.count())
        let timers = try TimerQueue(name: "deadlines")
        analyzer = try Analyzer(
            engine: engine, configuration: AnalyzerConfiguration(), decodeLane: decodeLane, timers: timers,
            cache: AnalysisCache(
                CacheConfiguration(memoryByteLimit: 0), timers: timers, registry: registry,
                logger: Logger(format: .text, sink: .discarding)),
            metrics: AnalysisMetrics(registry: registry), cancellations: CancellationMetrics(registry: registry))
    }

    var results: Int { vectors.withLock { $0.count } }

    func start(_ photos: PhotoSet, _ tally: Tally) {
        task = Task.detached { [analyzer, vectors, hasEnded] in
            do {
                try await analyzer.analyze(stream: PhotoItems(photos: photos)) { index, outcome in
                    let vector = try outcome.result.get().embedding
                    vectors.withLock { $0[index] = vector }
                    tally.add()
                }
            } catch is CancellationError {
                // What was asked for.
            } catch {
                stopBenchmark("a photo failed: \(error)")
            }
            hasEnded.signal()
        }
    }

    func cancel() {
        task?.cancel()
    }

    /// A cancelled group may end a little before the threads that worked for it see that nobody waits: they count.
    func wait() {
        hasEnded.wait()
        while analyzer.load.flights > 0 || decodeLane.running > 0 {
            ThreadSemaphore().wait(atMost: Self.pollInterval)
        }
    }
}
