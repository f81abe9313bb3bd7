import COpenVINO
import Scheduling
import Threads

/// Turns prepared pictures into vectors with one model.
///
/// As many pictures at a time as there are streams; further ones wait in order. Nothing blocks a thread of Swift's
/// pool: inferences run on OpenVINO's threads, and what has to block for them runs on a lane of the engine's own.
public final class InferenceEngine: Sendable {
    /// The model that the engine runs.
    public let model: Model

    /// The settings it was made with.
    public let configuration: InferenceConfiguration

    /// Bytes of one picture: width x height x 3 of the card's crop.
    public let pixelCount: Int

    /// Whether the compiled network came from the cache folder.
    public var isFromCache: Bool { network.isFromCache }

    /// Why the configured cache folder was not used; `nil` if it was, or if none was configured.
    public let cacheProblem: String?

    private let network: CompiledNetwork
    private let completionLane: Lane
    private let timers: TimerQueue

    /// A permit a stream. Whoever holds one may take a slot.
    private let streams: CancellableSemaphore

    /// Slots that nobody uses. With those in use there are as many as streams, less those that were abandoned; whoever
    /// has a permit and finds none makes a new one.
    private let idleSlots: Locked<[InferenceSlot]>

    /// How many slots were abandoned.
    private let abandoned = Locked(0)

    /// Requests of ``inferBlocking(_:)`` that no thread uses.
    private let idleBlockingRequests = Locked<[InferRequest]>([])

    /// Reads, compiles and tries out the network. Blocks for 100 to 500 ms, so it is not called on a task.
    ///
    /// - Throws: ``InferenceError`` if OpenVINO refuses the network, if it doesn't fit its card, or if it gives no
    ///   finite vector for a gray picture; `ThreadStartError` if the system gives no thread.
    public init(model: Model, configuration: InferenceConfiguration = InferenceConfiguration()) throws {
        for (name, value) in [("streams", configuration.streams), ("threads", configuration.threads)] where value < 1 {
            throw InferenceError.invalidSetting(name: name, value: value)
        }
        self.model = model
        self.configuration = configuration
        pixelCount = model.card.recipe.crop.width * model.card.recipe.crop.height * 3
        (network, cacheProblem) = try Self.compile(model, configuration)
        completionLane = try Lane(name: "infer-done", threads: 1)
        timers = try TimerQueue(name: "infer-stall")
        streams = CancellableSemaphore(permits: configuration.streams)
        idleSlots = Locked([])
        let slots = try (0..<configuration.streams).map { _ in try makeSlot() }
        idleSlots.withLock { $0 = slots }
        // The first inference is the slowest and the one that can fail for the model's sake.
        _ = try inferBlocking([UInt8](repeating: 128, count: pixelCount))
        // Reading and compiling leave 13 to 25 MB of freed memory that the allocator would keep for good.
        malloc_trim(0)
    }

    /// Requests that are waiting for work. All of them, when nothing is being inferred.
    public var idleRequests: Int { idleSlots.withLock { $0.count } }

    /// Requests that gave no sign of life within the stall limit. They are kept for good, since OpenVINO may still
    /// write to their buffers; others have taken their places.
    public var abandonedRequests: Int { abandoned.withLock { $0 } }

    /// Tasks that wait for a stream.
    public var waiting: Int { streams.waiting }

    /// Infers one picture.
    ///
    /// Cancelling the task takes it out of the line at once, or ends its inference at the next layer, a few
    /// milliseconds at most; the stream is free for the next one when this returns.
    ///
    /// - Parameter pixels: ``pixelCount`` bytes: 8-bit RGB of the card's crop size, row by row from the top.
    /// - Throws: `CancellationError`; ``InferenceError``.
    public func infer(_ pixels: [UInt8]) async throws -> InferenceResult {
        try requirePixelCount(pixels)
        let arrival = ContinuousClock.now
        return try await streams.withPermits {
            let start = ContinuousClock.now
            let vector = try await inferOnFreeSlot(pixels)
            return InferenceResult(
                vector: vector, queueDuration: start - arrival, inferDuration: .now - start)
        }
    }

    /// Infers one picture and blocks the calling thread meanwhile: for benchmarks, which call it on threads of their
    /// own. It takes no turn in the line of ``infer(_:)``.
    ///
    /// - Parameter pixels: as for ``infer(_:)``.
    /// - Throws: ``InferenceError``.
    public func inferBlocking(_ pixels: [UInt8]) throws -> [Float] {
        try requirePixelCount(pixels)
        let request =
            try idleBlockingRequests.withLock { $0.popLast() } ?? network.makeRequest(for: model.card)
        defer { idleBlockingRequests.withLock { $0.append(request) } }
        request.write(pixels)
        try request.start()
        try request.wait()
        return try request.readVector()
    }

    private func requirePixelCount(_ pixels: [UInt8]) throws(InferenceError) {
        guard pixels.count == pixelCount else {
            throw .pixelCount(expected: pixelCount, found: pixels.count)
        }
    }

    /// The caller holds a permit.
    private func inferOnFreeSlot(_ pixels: [UInt8]) async throws -> [Float] {
        let slot = try takeSlot()
        do {
            let vector = try await slot.run(pixels)
            giveBack(slot)
            return vector
        } catch let error as InferenceError where error.isStall {
            slot.abandon()
            abandoned.withLock { $0 += 1 }
            throw error
        } catch {
            giveBack(slot)
            throw error
        }
    }

    private func takeSlot() throws(InferenceError) -> InferenceSlot {
        if let slot = idleSlots.withLock({ $0.popLast() }) {
            return slot
        }
        return try makeSlot()
    }

    private func giveBack(_ slot: InferenceSlot) {
        idleSlots.withLock { $0.append(slot) }
    }

    private func makeSlot() throws(InferenceError) -> InferenceSlot {
        try InferenceSlot(
            network.makeRequest(for: model.card), completionLane: completionLane, timers: timers,
            stallLimit: configuration.stallLimit)
    }

    /// A cache only saves time, so nothing that is wrong with it may keep the service from starting.
    private static func compile(
        _ model: Model, _ configuration: InferenceConfiguration
    ) throws(InferenceError) -> (CompiledNetwork, cacheProblem: String?) {
        let cache = CacheDirectory(configuration.cacheDirectory)
        guard let path = cache.path else {
            return (
                try CompiledNetwork(of: model, configuration: configuration, cacheDirectory: nil), cache.problem
            )
        }
        let problem: String
        do {
            let network = try CacheLock.hold(path, patience: cacheLockPatience) { () throws(InferenceError) in
                let seals = CacheSeals(folder: path)
                try seals.removeBrokenNetworks()
                let network = try CompiledNetwork(of: model, configuration: configuration, cacheDirectory: path)
                seals.sealNetworks()
                return network
            }
            if let network { return (network, nil) }
            problem = "can't lock the folder \(path)"
        } catch {
            problem = "\(error)"
        }
        return (try CompiledNetwork(of: model, configuration: configuration, cacheDirectory: nil), problem)
    }

    /// How long the start waits for others who use the folder for compiled networks: many times what one takes.
    private static let cacheLockPatience = Duration.seconds(20)
}
