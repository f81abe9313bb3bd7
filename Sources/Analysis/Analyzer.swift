import Imaging
import Inference
import Scheduling
import Telemetry
import Threads

/// What happens to an image: its header is read, its bytes are hashed, and unless its result is known or somebody else
/// has just brought the same bytes, it waits for its turn, is decoded on a lane's thread and put through the model.
///
/// Any number of calls may run side by side. A cancelled call of one image returns at once, while its bytes are hashed
/// within a millisecond; what was done for it alone is stopped, at the next row of a decode, at the next layer of an
/// inference. A cancelled group or stream returns when all of its images have.
public final class Analyzer: Sendable {
    /// Threads that decode, for each that hashes.
    private static let decodeThreadsPerHashThread = 4

    /// What identical work is known by. Batch and interactive images don't wait for each other's turns.
    struct FlightKey: Hashable, Sendable {
        let analysis: AnalysisKey
        let priority: WaitPriority
    }

    private let configuration: AnalyzerConfiguration
    private let engine: InferenceEngine
    private let hasher: ContentHasher
    private let cache: AnalysisCache
    let flights: SingleFlight<FlightKey, ImageAnalysis>
    let work: ImageWork
    /// A permit a byte of the files that all streams together have taken on.
    let streamBytes: CancellableSemaphore
    private let metrics: AnalysisMetrics
    private let cancellations: CancellationMetrics

    /// - Parameters:
    ///   - engine: The compiled model.
    ///   - decodeLane: The threads that decode; shared by everything that decodes in this process.
    ///   - timers: Where waiting times are limited.
    ///   - cache: Where finished results are looked for and kept.
    ///   - metrics: Where images and stages are counted.
    ///   - cancellations: Where work that was given up is counted.
    /// - Throws: `InvalidPreparation` if the model's card asks for an impossible resize or crop; `ThreadStartError` if
    ///   the system gives no thread.
    public init(
        engine: InferenceEngine, configuration: AnalyzerConfiguration, decodeLane: Lane, timers: TimerQueue,
        cache: AnalysisCache, metrics: AnalysisMetrics, cancellations: CancellationMetrics
    ) throws {
        self.engine = engine
        self.configuration = configuration
        fingerprint = engine.model.fingerprint(
            precision: engine.configuration.precision, decoding: configuration.mode.rawValue)
        self.cache = cache
        self.metrics = metrics
        self.cancellations = cancellations
        hasher = try ContentHasher(threads: max(1, decodeLane.threads / Self.decodeThreadsPerHashThread))
        streamBytes = CancellableSemaphore(permits: configuration.admission.bytes)
        flights = SingleFlight(waiterLeft: { cancellations.count(.flight, $0) })
        work = ImageWork(
            engine: engine, preparation: try Preparation(engine.model.card.recipe, mode: configuration.mode),
            decodeLane: decodeLane,
            admission: Admission(
                turns: max(decodeLane.threads, engine.configuration.streams) + 1, limits: configuration.admission,
                timers: timers, metrics: metrics),
            memory: CancellableSemaphore(permits: configuration.memoryBudgetBytes), metrics: metrics,
            cancellations: cancellations)
    }

    /// The model that answers.
    public var model: Model { engine.model }

    /// What a vector of this analyzer depends on; vectors with the same fingerprint can be compared.
    public let fingerprint: String

    /// How full the analyzer is right now.
    public var load: AnalyzerLoad {
        AnalyzerLoad(
            waitingImages: work.admission.waitingImages, waitingBytes: work.admission.waitingBytes,
            estimatedWait: work.admission.estimatedWait, memoryBytes: work.memory.permits - work.memory.available,
            flights: flights.inFlight + flights.abandoned)
    }

    /// Analyses one image.
    ///
    /// - Throws: `ImagingError` if the bytes are no acceptable picture, ``MemoryExceeded`` if it is too large to be
    ///   decoded, ``Overload`` if it was refused for want of time, `InferenceError` if the model fails, and
    ///   `CancellationError` if the task was cancelled.
    public func analyze(_ source: ImageSource, _ urgency: Urgency = .interactive()) async throws -> ImageAnalysis {
        metrics.began(source)
        let result: Result<ImageAnalysis, any Error>
        do {
            result = .success(try await analyzeUncounted(source, urgency))
        } catch {
            result = .failure(error)
        }
        metrics.ended(source, with: result)
        return try result.get()
    }

    /// Suspends until nothing is worked on any more, not even for somebody who has left. For the end of a process,
    /// which must not take the memory away from a running inference.
    ///
    /// - Throws: `CancellationError`.
    public func ended() async throws {
        try await flights.landed()
    }

    /// What becomes of one item of a group or a stream.
    ///
    /// - Throws: What ends all of it: ``Overload`` if it may be refused, `CancellationError`.
    func outcome(of item: ImageItem, _ urgency: Urgency) async throws -> ImageOutcome {
        switch item {
        case .image(let source): try await outcome(of: source, urgency)
        case .unreadable(let id, let error): ImageOutcome(id: id, result: .failure(error))
        }
    }

    private func outcome(of source: ImageSource, _ urgency: Urgency) async throws -> ImageOutcome {
        do {
            return ImageOutcome(id: source.id, result: .success(try await analyze(source, urgency)))
        } catch let error as CancellationError {
            // The group is going, not this image alone.
            throw error
        } catch let error as Overload where urgency.mayBeRefused {
            throw error
        } catch {
            return ImageOutcome(id: source.id, result: .failure(error))
        }
    }

    private func analyzeUncounted(_ source: ImageSource, _ urgency: Urgency) async throws -> ImageAnalysis {
        let arrival = ContinuousClock.now
        // Before all else, so that what is no picture is told at once: only the header is read.
        let file = try ImageFile(opening: source.bytes, limits: configuration.limits)
        let footprint = try work.footprint(of: file)
        let (key, cached) = try await cancellations.attributing(to: .queue) { try await lookUp(file) }
        if let cached {
            return cached.analysis(digest: key.content)
        }
        return try await fly(file, footprint, key, urgency, since: arrival)
    }

    private func lookUp(_ file: ImageFile) async throws -> (AnalysisKey, CachedAnalysis?) {
        let digest = try await hasher.digest(of: file.bytes)
        let key = AnalysisKey(content: digest, fingerprint: fingerprint)
        let cached = await cache.value(for: key)
        try Task.checkCancellation()
        return (key, cached)
    }

    /// Has the picture worked on, together with whoever else has brought it.
    func fly(
        _ file: ImageFile, _ footprint: Int, _ key: AnalysisKey, _ urgency: Urgency,
        since arrival: ContinuousClock.Instant
    ) async throws -> ImageAnalysis {
        while true {
            let leads = Locked(false)
            do {
                let outcome = try await flights.run(FlightKey(analysis: key, priority: urgency.priority)) {
                    [work, cache] in
                    leads.withLock { $0 = true }
                    // A run that has ended since the picture was looked up is not found any more, but its result is.
                    if let kept = cache.valueInMemory(for: key) {
                        return kept.analysis(digest: key.content)
                    }
                    let analysis = try await work.run(file, footprint: footprint, digest: key.content, urgency)
                    cache.store(CachedAnalysis(analysis), for: key)
                    return analysis
                }
                return outcome.role == .leader ? outcome.value : outcome.value.joined(after: .now - arrival)
            } catch is Overload where !leads.withLock({ $0 }) {
                // It was refused to another request, by that one's deadline and patience. This one asks for itself,
                // here already: were all who waited to begin anew together, each would be woken by the refusal of each.
                try work.admission.refuseIfNeeded(file.bytes.count, urgency, waitingSince: arrival)
            }
        }
    }
}
