import Analysis
import HTTPServer
import PoolHealth
import Telemetry

/// The watch over Swift's cooperative pool, and the admin listener, which answers while the pool and Dispatch are
/// stuck.
final class PoolWatch: Sendable {
    /// Requests whose stages are kept; those beyond are counted only.
    private static let requestCapacity = 4096

    /// Every crew of threads that the service's rooms start.
    private static let lanes = [
        "decode", "hash", "infer-done", "infer-stall", "json", "json-lines", "file-cache", "deadlines",
    ]

    let monitor: PoolMonitor
    /// The port of the admin listener.
    var adminPort: Int { listener.port }

    private let inFlight: InFlight
    private let listener: AdminListener

    /// Starts the threads, and listens.
    ///
    /// - Throws: `PoolHealthError`.
    init(
        _ configuration: Configuration, registry: MetricsRegistry, readiness: Readiness, logger: Logger
    ) throws(PoolHealthError) {
        inFlight = InFlight(stages: Stage.allCases.map(\.rawValue), capacity: Self.requestCapacity)
        let abortAfter = configuration.pool.abortAfter
        let monitor = try PoolMonitor(
            registry: registry, logger: logger, inFlight: inFlight, lanes: Self.lanes,
            abortAfter: abortAfter > .zero ? abortAfter : nil, watches: configuration.pool.monitor)
        self.monitor = monitor
        let livezFails = configuration.pool.livez
        listener = try AdminListener(
            host: configuration.admin.host, port: configuration.admin.port,
            routes: PoolAdmin.routes(
                monitor: monitor, registry: registry, allowsChaos: configuration.pool.chaos,
                isLive: { [weak monitor] in livezFails ? monitor?.readiness.reason : nil },
                isReady: { readiness.isReady ? nil : "the service is stopping" }))
    }

    /// Runs a request's task, known to the monitor by its id and its stage.
    func scope(_ request: Request, _ run: @Sendable () async -> Void) async {
        let entry = inFlight.begin(request.id)
        defer { entry.end() }
        let observer = StageObserver { entry.stage = $0.rawValue }
        await StageObserver.$current.withValue(observer) { await run() }
    }

    /// Ends the threads and closes the admin listener.
    func stop() {
        listener.stop()
        monitor.stop()
    }
}
