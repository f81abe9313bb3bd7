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
    /// Shut down when the service stops.
    let jobs: JobStore
    /// Closed at the end, so that what waits to be written is.
    let cache: AnalysisCache
    let readiness: Readiness
    let poolWatch: PoolWatch
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
        readiness = Readiness()
        // Before the rest, so that it is watched from its first task on.
        poolWatch = try PoolWatch(configuration, registry: registry, readiness: readiness, logger: logger)
        let metrics = AnalysisMetrics(registry: registry)
        decodeLane = try Lane(name: "decode", threads: Self.orCores(configuration.decode.threads, cores))
        let engine = try Self.makeEngine(configuration, cores)
        cacheProblem = engine.cacheProblem
        timers = try TimerQueue(name: "deadlines")
        cache = try AnalysisCache(
            Self.cacheConfiguration(configuration), timers: timers, registry: registry, logger: logger)
        let cancellations = CancellationMetrics(registry: registry)
        analyzer = try Analyzer(
            engine: engine, configuration: Self.analyzerConfiguration(configuration), decodeLane: decodeLane,
            timers: timers, cache: cache, metrics: metrics, cancellations: cancellations)
        let reporter = ProblemReporter(logger: logger)
        // Lines of batches are long, and many: a body of /v1/embed doesn't wait behind them.
        let jsonLane = try Lane(name: "json", threads: 1)
        let lineLane = try Lane(name: "json-lines", threads: 1)
        let embed = EmbedRoute(
            analyzer: analyzer, metrics: metrics, cancellations: cancellations, reporter: reporter, deadlines: timers,
            lane: jsonLane, bodyLimit: configuration.server.bodyLimit.bytes, deadline: configuration.request.deadline)
        let batchStreams = CancellableSemaphore(permits: configuration.batch.streams)
        let batch = BatchRoute(
            analyzer: analyzer, cancellations: cancellations, reporter: reporter, deadlines: timers, lane: lineLane,
            streams: batchStreams, firstPictureDeadline: configuration.request.deadline,
            imageLimit: configuration.server.bodyLimit.bytes)
        jobs = JobStore(
            JobLimits(
                count: configuration.jobs.count, bytes: configuration.jobs.bytes.bytes, age: configuration.jobs.age),
            analyzer: analyzer, timers: timers, registry: registry)
        let jobUploads = CancellableSemaphore(permits: configuration.batch.streams)
        let jobRoutes = JobRoutes(
            store: jobs, analyzer: analyzer, cancellations: cancellations, reporter: reporter, lane: lineLane,
            deadlines: timers, uploads: jobUploads,
            firstPictureDeadline: configuration.request.deadline, imageLimit: configuration.server.bodyLimit.bytes)
        let status = StatusRoutes(
            registry: registry, readiness: readiness, poolMonitor: poolWatch.monitor,
            livezFailsWithThePool: configuration.pool.livez, analyzer: analyzer)
        let router = try Router(
            [
                Route(.post, "/v1/embed", name: "embed", handler: embed.answer),
                // Without a limit for the whole: each of its pictures has one.
                Route(
                    .post, "/v1/batch", name: "batch", bodyLimitBytes: .max, streamsBody: true, handler: batch.answer),
            ] + jobRoutes.all + status.all)
        server = HTTPServer(
            configuration: Self.serverConfiguration(
                configuration, inheritedDescriptors: inheritedDescriptors, reporter: reporter, poolWatch: poolWatch),
            router: router,
            observer: ServerObservers([
                ServerMetrics(registry: registry, router: router),
                AccessLog(logger: logger, quietRoutes: StatusRoutes.quietNames),
            ]))
        registry.gauge("embedd_batches_open", help: "Batches that are being answered.") {
            Double(batchStreams.permits - batchStreams.available)
        }
        registry.gauge("embedd_job_uploads_open", help: "Jobs whose pictures are being received.") {
            Double(jobUploads.permits - jobUploads.available)
        }
        Self.register(
            registry, logger: logger, analyzer: analyzer, lane: decodeLane, engine: engine,
            cores: cores, memoryBudget: configuration.decode.memoryBudget)
    }
}
