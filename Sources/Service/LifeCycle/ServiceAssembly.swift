import Analysis
import HTTPServer
import Imaging
import Inference
import Scheduling
import Telemetry

/// The rooms of a service, built and wired as its configuration says, ready to be started.
struct ServiceAssembly {
    let server: HTTPServer
    let analyzer: Analyzer
    let decodeLane: Lane
    /// Stopped at the end.
    let jobs: JobStore
    /// Closed at the end, so that what waits to be written is.
    let cache: AnalysisCache
    let readiness = Readiness()
    /// Deadlines of requests, and of the service itself.
    let timers: TimerQueue
    /// Why the folder for compiled models is not used though one is configured.
    let cacheProblem: String?

    /// Loads the model, which blocks the calling thread for up to a second.
    ///
    /// - Parameter inheritedDescriptors: Sockets that listen already, instead of those of the configuration.
    /// - Throws: what stops the start: `ModelError`, `InferenceError`, `InvalidPreparation`, `ThreadStartError`.
    init(
        _ configuration: Configuration, inheritedDescriptors: [Int32], cores: UsableCores, logger: Logger
    ) throws {
        let registry = MetricsRegistry()
        let metrics = AnalysisMetrics(registry: registry)
        decodeLane = try Lane(name: "decode", threads: Self.orCores(configuration.decode.threads, cores))
        let engine = try Self.makeEngine(configuration, cores)
        cacheProblem = engine.cacheProblem
        timers = try TimerQueue(name: "deadlines")
        cache = try AnalysisCache(Self.cacheConfiguration(configuration), registry: registry, logger: logger)
        let cancellations = CancellationMetrics(registry: registry)
        analyzer = try Analyzer(
            engine: engine, configuration: Self.analyzerConfiguration(configuration), decodeLane: decodeLane,
            timers: timers, cache: cache, metrics: metrics, cancellations: cancellations)
        let reporter = ProblemReporter(logger: logger)
        let jsonLane = try Lane(name: "json", threads: 1)
        let embed = EmbedRoute(
            analyzer: analyzer, metrics: metrics, cancellations: cancellations, reporter: reporter, deadlines: timers,
            lane: jsonLane, bodyLimit: configuration.server.bodyLimit.bytes, deadline: configuration.request.deadline)
        let batchStreams = CancellableSemaphore(permits: configuration.batch.streams)
        let batch = BatchRoute(
            analyzer: analyzer, cancellations: cancellations, reporter: reporter, deadlines: timers, lane: jsonLane,
            streams: batchStreams, imageLimit: configuration.server.bodyLimit.bytes)
        jobs = JobStore(
            JobLimits(
                count: configuration.jobs.count, bytes: configuration.jobs.bytes.bytes, age: configuration.jobs.age),
            analyzer: analyzer, timers: timers, registry: registry)
        let jobRoutes = JobRoutes(
            store: jobs, analyzer: analyzer, cancellations: cancellations, reporter: reporter, lane: jsonLane,
            imageLimit: configuration.server.bodyLimit.bytes)
        let status = StatusRoutes(registry: registry, readiness: readiness, analyzer: analyzer)
        let router = try Router(
            [
                Route(.post, "/v1/embed", name: "embed", handler: embed.answer),
                // Without a limit for the whole: each of its pictures has one.
                Route(.post, "/v1/batch", name: "batch", bodyLimitBytes: .max, handler: batch.answer),
            ] + jobRoutes.all + status.all)
        server = HTTPServer(
            configuration: Self.serverConfiguration(
                configuration, inheritedDescriptors: inheritedDescriptors, reporter: reporter),
            router: router,
            observer: ServerObservers([
                ServerMetrics(registry: registry, router: router),
                AccessLog(logger: logger, quietRoutes: StatusRoutes.quietNames),
            ]))
        registry.gauge("embedd_batches_open", help: "Batches that are being answered.") {
            Double(batchStreams.permits - batchStreams.available)
        }
        Self.register(
            registry, logger: logger, analyzer: analyzer, lane: decodeLane, streams: engine.configuration.streams,
            cores: cores, memoryBudget: configuration.decode.memoryBudget)
    }

    private static func makeEngine(_ configuration: Configuration, _ cores: UsableCores) throws -> InferenceEngine {
        let model = try Model(folder: "\(configuration.models.path)/\(configuration.models.default)")
        let streams = orCores(configuration.inference.streams, cores)
        let cachePath = configuration.inference.cachePath
        return try InferenceEngine(
            model: model,
            configuration: InferenceConfiguration(
                precision: configuration.inference.precision, streams: streams, threads: streams,
                cacheDirectory: cachePath.isEmpty ? nil : cachePath, stallLimit: configuration.inference.stallLimit))
    }

    private static func analyzerConfiguration(_ configuration: Configuration) -> AnalyzerConfiguration {
        AnalyzerConfiguration(
            mode: configuration.decode.mode,
            limits: DecodeLimits(
                maximumPixels: configuration.decode.pixelLimit, minimumSide: configuration.decode.minimumSide,
                enabledFormats: Set(configuration.decode.formats)),
            admission: AdmissionLimits(
                images: configuration.queue.images, bytes: configuration.queue.bytes.bytes,
                timeout: configuration.queue.timeout),
            memoryBudgetBytes: configuration.decode.memoryBudget.bytes)
    }

    private static func cacheConfiguration(_ configuration: Configuration) -> CacheConfiguration {
        let cache = configuration.cache
        return CacheConfiguration(
            memoryByteLimit: cache.memoryBytes.bytes, path: cache.path.isEmpty ? nil : cache.path,
            fileByteLimit: cache.fileBytes.bytes)
    }

    private static func serverConfiguration(
        _ configuration: Configuration, inheritedDescriptors: [Int32], reporter: ProblemReporter
    ) -> ServerConfiguration {
        var server = ServerConfiguration(addresses: inheritedDescriptors.isEmpty ? [configuration.server.address] : [])
        server.inheritedDescriptors = inheritedDescriptors
        server.sharesPort = configuration.server.reusePort
        server.compressesResponses = configuration.server.compression
        server.cors = configuration.server.cors
        server.bodyLimitBytes = configuration.server.bodyLimit.bytes
        server.bodyBudgetBytes = configuration.server.bodyBudget.bytes
        server.connectionLimit = configuration.server.connectionLimit
        server.timeLimits.header = configuration.server.headerTimeout
        server.timeLimits.idle = configuration.server.idleTimeout
        server.timeLimits.writeBytesPerSecond = configuration.server.responseRate.bytes
        server.allowsHalfClose = configuration.server.halfClose == .allow
        server.problemTypePrefix = Problem.typePrefix
        server.errorResponder = { error, request in Response(reporter.problem(for: error, of: request)) }
        return server
    }

    private static func register(
        _ registry: MetricsRegistry, logger: Logger, analyzer: Analyzer, lane: Lane, streams: Int, cores: UsableCores,
        memoryBudget: ByteCount
    ) {
        ProcessMetrics.register(in: registry)
        registry.counter("embedd_log_dropped_lines_total", help: "Log lines that were dropped for want of room.") {
            Double(logger.droppedLines)
        }
        registry.info(
            "embedd_build_info", help: "The version that runs.",
            labels: ["version": Version.current, "model": analyzer.model.card.name])
        registry.gauge("embedd_usable_cores", help: "Cores that affinity and cgroup quota leave to the process.") {
            Double(cores.count)
        }
        registry.gauge("embedd_decode_threads", help: "Threads of the decode lane.") { Double(lane.threads) }
        registry.gauge("embedd_decode_running", help: "Images on a decode thread.") { Double(lane.running) }
        registry.gauge("embedd_inference_streams", help: "Inferences that can run side by side.") {
            Double(streams)
        }
        register(registry, analyzer, memoryBudget: memoryBudget)
    }

    private static func register(_ registry: MetricsRegistry, _ analyzer: Analyzer, memoryBudget: ByteCount) {
        registry.gauge("embedd_images_queued", help: "Images that wait for their turn.") {
            Double(analyzer.load.waitingImages)
        }
        registry.gauge("embedd_queue_bytes", help: "Bytes of the image files that wait for their turn.") {
            Double(analyzer.load.waitingBytes)
        }
        registry.gauge(
            "embedd_queue_wait_estimate_seconds",
            help: "When the turn of an image would come that joins the queue now, by the measured rate."
        ) { analyzer.load.estimatedWait / .seconds(1) }
        registry.gauge("embedd_decode_memory_bytes", help: "Memory set aside for the pictures that are decoded.") {
            Double(analyzer.load.memoryBytes)
        }
        registry.gauge("embedd_decode_memory_budget_bytes", help: "Memory that all decodes together may have.") {
            Double(memoryBudget.bytes)
        }
        registry.gauge("embedd_flights", help: "Different pictures that are waiting or being worked on.") {
            Double(analyzer.load.flights)
        }
    }

    /// 0 in the configuration means as many as there are usable cores.
    private static func orCores(_ configured: Int, _ cores: UsableCores) -> Int {
        configured > 0 ? configured : cores.count
    }
}
