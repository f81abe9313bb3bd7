import Imaging
import Inference
import Scheduling

/// What happens to an image: decoded on a lane's thread, then put through the model.
///
/// Any number of calls may run side by side; they wait, suspended, for a decode thread and then for an inference
/// request. A cancelled task gives both back: a waiting one at once, a decoding one at the next row, an inferring one
/// at the model's next layer.
public final class Analyzer: Sendable {
    private let engine: InferenceEngine
    private let preparation: Preparation
    private let limits: DecodeLimits
    private let decodeLane: Lane
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
        self.metrics = metrics
    }

    /// The model that answers.
    public var model: Model { engine.model }

    /// What a vector of this analyzer depends on; vectors with the same fingerprint can be compared.
    public var fingerprint: String { engine.fingerprint }

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
    /// - Parameter allArrived: Called when `sources` has ended, while the images are still worked on.
    /// - Throws: What `sources` throws, and `CancellationError`; then the children have been cancelled and have ended.
    ///   What goes wrong with one image is its own outcome and doesn't throw.
    public func analyze<Sources: AsyncSequence>(
        group sources: Sources, allArrived: () -> Void = {}
    ) async throws -> [ImageOutcome] where Sources.Element == ImageSource {
        try await withThrowingTaskGroup(of: (Int, ImageOutcome).self) { group in
            var count = 0
            for try await source in sources {
                let index = count
                group.addTask { (index, try await self.outcome(of: source)) }
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
        let clock = ContinuousClock()
        let enqueued = clock.now
        let (prepared, digest, begun) = try await decodeLane.run { [preparation, limits] cancellation in
            let begun = clock.now
            let file = try ImageFile(opening: source.bytes, limits: limits)
            let prepared = try ImagePreparer.prepare(file, preparation: preparation, cancellation: cancellation)
            // Hashing megabytes takes milliseconds: it belongs on this thread, and only for a picture that is one.
            return (prepared, SHA256Digest(of: source.bytes), begun)
        }
        let inference = try await engine.infer(prepared.pixels)
        return ImageAnalysis(
            embedding: inference.vector, header: prepared.header, dominantColor: prepared.dominantColor,
            digest: digest,
            stages: StageDurations(
                queue: begun - enqueued + inference.queueDuration, decode: prepared.decodeDuration,
                preprocess: prepared.preprocessDuration, infer: inference.inferDuration))
    }
}
