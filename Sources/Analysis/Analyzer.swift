import Imaging
import Inference
import Scheduling

/// What happens to an image: decoded on a lane's thread, then put through the model.
///
/// Any number of calls may run side by side; as many as there are threads to work on them get a permit, in the order
/// they came, and hold it from decode to vector. The others wait, suspended. Were decode and inference let in each for
/// itself, both would have a thread for every core: twice as many busy threads as cores, which push each other out of
/// the caches, and prepared pictures would pile up before the model. There is one permit more than threads, so that a
/// core has work while an image passes from its decode to its inference.
///
/// A cancelled task gives back what it holds: a waiting one at once, a decoding one at the next row, an inferring one
/// at the model's next layer.
public final class Analyzer: Sendable {
    private let engine: InferenceEngine
    private let preparation: Preparation
    private let limits: DecodeLimits
    private let decodeLane: Lane
    private let permits: CancellableSemaphore
    private let metrics: AnalysisMetrics

    /// - Parameters:
    ///   - engine: The compiled model.
    ///   - mode: How JPEG is decoded.
    ///   - limits: What is accepted.
    ///   - decodeLane: The threads that decode; shared by everything that decodes in this process.
    ///   - metrics: Where images and stages are counted.
    /// - Throws: `InvalidPreparation` if the model's card asks for an impossible resize or crop.
    public init(
        engine: InferenceEngine, mode: DecodeMode, limits: DecodeLimits, decodeLane: Lane, metrics: AnalysisMetrics
    ) throws {
        self.engine = engine
        preparation = try Preparation(engine.model.card.recipe, mode: mode)
        self.limits = limits
        self.decodeLane = decodeLane
        permits = CancellableSemaphore(permits: max(decodeLane.threads, engine.configuration.streams) + 1)
        self.metrics = metrics
    }

    /// The model that answers.
    public var model: Model { engine.model }

    /// What a vector of this analyzer depends on; vectors with the same fingerprint can be compared.
    public var fingerprint: String { engine.fingerprint }

    /// Images that wait for their turn.
    public var waiting: Int { permits.waiting }

    /// Analyses one image.
    ///
    /// - Throws: `ImagingError` if the bytes are no acceptable picture, `InferenceError` if the model fails, and
    ///   `CancellationError` if the task was cancelled; then all of its work has ended.
    public func analyze(_ source: ImageSource) async throws -> ImageAnalysis {
        metrics.began(source)
        let result: Result<ImageAnalysis, any Error>
        do {
            result = .success(try await work(on: source))
        } catch {
            result = .failure(error)
        }
        metrics.ended(source, with: result)
        return try result.get()
    }

    /// Analyses a group: a child task for each image, begun as its source arrives; results in the sources' order.
    ///
    /// No more of its images stand in the line at a time than can be worked on, so that a group of hundreds takes turns
    /// with other requests instead of being served before them.
    ///
    /// - Parameter allArrived: Called when `sources` has ended, while the images are still worked on.
    /// - Throws: What `sources` throws, and `CancellationError`; then the children have been cancelled and have ended.
    ///   What goes wrong with one image is its own outcome and doesn't throw.
    public func analyze<Sources: AsyncSequence>(
        group sources: Sources, allArrived: () -> Void = {}
    ) async throws -> [ImageOutcome] where Sources.Element == ImageSource {
        let places = CancellableSemaphore(permits: permits.permits)
        return try await withThrowingTaskGroup(of: (Int, ImageOutcome).self) { group in
            var count = 0
            for try await source in sources {
                let index = count
                group.addTask {
                    try await places.withPermits { (index, try await self.outcome(of: source)) }
                }
                count += 1
            }
            allArrived()
            var outcomes = [ImageOutcome?](repeating: nil, count: count)
            for try await (index, outcome) in group {
                outcomes[index] = outcome
            }
            return outcomes.compactMap(\.self)
        }
    }

    private func outcome(of source: ImageSource) async throws -> ImageOutcome {
        do {
            return ImageOutcome(id: source.id, result: .success(try await analyze(source)))
        } catch let error as CancellationError {
            // The group is going, not this image alone.
            throw error
        } catch {
            return ImageOutcome(id: source.id, result: .failure(error))
        }
    }

    private func work(on source: ImageSource) async throws -> ImageAnalysis {
        // Before the queue, so that what is no picture is told at once: only the header is read.
        let file = try ImageFile(opening: source.bytes, limits: limits)
        let arrival = ContinuousClock.now
        do {
            try await permits.acquire()
        } catch {
            metrics.observe(.queue, .now - arrival)
            throw error
        }
        defer { permits.release() }
        return try await decodeAndInfer(file, since: arrival)
    }

    private func decodeAndInfer(
        _ file: ImageFile, since arrival: ContinuousClock.Instant
    ) async throws -> ImageAnalysis {
        let (prepared, digest, begun) = try await decodeLane.run { [preparation, metrics] cancellation in
            let begun = ContinuousClock.now
            metrics.observe(.queue, begun - arrival)
            let prepared = try ImagePreparer.prepare(file, preparation: preparation, cancellation: cancellation)
            // Hashing megabytes takes milliseconds: it belongs on this thread, and only for a picture that is one.
            return (prepared, SHA256Digest(of: file.bytes), begun)
        }
        metrics.observe(.decode, prepared.decodeDuration)
        metrics.observe(.preprocess, prepared.preprocessDuration)
        let inference = try await engine.infer(prepared.pixels)
        metrics.observe(.infer, inference.inferDuration)
        return ImageAnalysis(
            embedding: inference.vector, header: prepared.header, dominantColor: prepared.dominantColor,
            digest: digest,
            stages: StageDurations(
                queue: begun - arrival + inference.queueDuration, decode: prepared.decodeDuration,
                preprocess: prepared.preprocessDuration, infer: inference.inferDuration))
    }
}
