import Imaging
import Inference
import Scheduling

/// What it takes to turn an opened picture into its vector: a turn, memory, a decode thread, an inference.
///
/// A cancelled task gives back what it holds: a waiting one at once, a decoding one at the next row, an inferring one
/// at the model's next layer.
struct ImageWork: Sendable {
    let engine: InferenceEngine
    let preparation: Preparation
    let decodeLane: Lane
    let admission: Admission
    /// A permit a byte. Only whoever has a turn asks for memory, so few wait here, and never somebody with memory.
    let memory: CancellableSemaphore
    let metrics: AnalysisMetrics
    let cancellations: CancellationMetrics

    /// The bytes that the picture takes while it is decoded.
    ///
    /// - Throws: ``MemoryExceeded`` if it can never have them.
    func footprint(of file: ImageFile) throws(MemoryExceeded) -> Int {
        let bytes = file.decodeFootprintBytes(for: preparation)
        guard bytes <= memory.permits else {
            throw MemoryExceeded(neededBytes: bytes, budgetBytes: memory.permits)
        }
        return bytes
    }

    /// Decodes and infers.
    ///
    /// - Throws: ``Overload``, `ImagingError`, `InferenceError`; `CancellationError` once all that was held is free.
    func run(
        _ file: ImageFile, footprint: Int, digest: SHA256Digest, _ urgency: Urgency
    ) async throws -> ImageAnalysis {
        let arrival = ContinuousClock.now
        StageObserver.begin(.queue)
        var hasTurn = false
        do {
            return try await admission.withTurn(for: file.bytes.count, urgency) {
                hasTurn = true
                return try await decodeAndInfer(file, footprint, digest, urgency.priority, since: arrival)
            }
        } catch {
            guard !hasTurn else { throw error }
            metrics.observe(.queue, .now - arrival)
            if error is CancellationError {
                cancellations.count(.queue)
            }
            throw error
        }
    }

    private func decodeAndInfer(
        _ file: ImageFile, _ footprint: Int, _ digest: SHA256Digest, _ priority: WaitPriority,
        since arrival: ContinuousClock.Instant
    ) async throws -> ImageAnalysis {
        StageObserver.begin(.decode)
        let (prepared, begun) = try await cancellations.attributing(to: .decode) {
            try await memory.withPermits(footprint, priority: priority) { try await decode(file, since: arrival) }
        }
        metrics.observe(.decode, prepared.decodeDuration)
        metrics.observe(.preprocess, prepared.preprocessDuration)
        StageObserver.begin(.infer)
        let inference = try await cancellations.attributing(to: .infer) { try await infer(prepared.pixels) }
        metrics.observe(.infer, inference.inferDuration)
        if Task.isCancelled {
            // It was given up in its last moments, and has come to its end all the same.
            cancellations.count(.infer)
        }
        return ImageAnalysis(
            embedding: inference.vector, header: prepared.header, dominantColor: prepared.dominantColor,
            digest: digest,
            stages: StageDurations(
                queue: begun - arrival + inference.queueDuration, decode: prepared.decodeDuration,
                preprocess: prepared.preprocessDuration, infer: inference.inferDuration))
    }

    private func decode(
        _ file: ImageFile, since arrival: ContinuousClock.Instant
    ) async throws -> (PreparedImage, begun: ContinuousClock.Instant) {
        let cause = CancellationCause.current
        return try await decodeLane.run { [preparation, metrics, cancellations] cancellation in
            let begun = ContinuousClock.now
            defer {
                if cancellation.isCancelled {
                    cancellations.countWaste(since: begun, cause?.declaration)
                }
            }
            metrics.observe(.queue, begun - arrival)
            return (try ImagePreparer.prepare(file, preparation: preparation, cancellation: cancellation), begun)
        }
    }

    private func infer(_ pixels: [UInt8]) async throws -> InferenceResult {
        let begun = ContinuousClock.now
        defer {
            if Task.isCancelled {
                cancellations.countWaste(since: begun, CancellationCause.current?.declaration)
            }
        }
        return try await engine.infer(pixels)
    }
}
