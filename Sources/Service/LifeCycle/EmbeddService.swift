import Analysis
import CLinux
import Glibc
import HTTPServer
import Imaging
import Scheduling
import Telemetry

/// The service: every room, put together.
public struct EmbeddService: Sendable {
    /// How long the log may take to be written when the process ends.
    private static let logFlushLimit = Duration.seconds(2)
    /// Bodies and pictures from this size on leave no trace in the process's memory when they are done with.
    private static let mappedBlockBytes: Int32 = 1 << 20

    private let configuration: Configuration
    private let environment: [String: String]
    private let logger: Logger
    /// Whether libvips could be started.
    private let hasLibvips: Bool

    /// A service that has not been started.
    /// - Parameter environment: The process's environment, which may tell of listening sockets that it inherited.
    public init(configuration: Configuration, environment: [String: String]) {
        self.configuration = configuration
        self.environment = environment
        // Both before there are other threads, the logger's included.
        clinux_map_blocks_from(Self.mappedBlockBytes)
        hasLibvips = ImagePreparer.start()
        let format: LogFormat =
            switch configuration.log.format {
            case .automatic: .automatic(for: STDERR_FILENO)
            case .json: .json
            case .text: .text
            }
        logger = Logger(
            format: format, minimumLevel: configuration.log.level, sink: .fileDescriptor(STDERR_FILENO))
    }

    /// Loads the model, serves until SIGTERM or SIGINT, and stops gracefully.
    ///
    /// Stays on the main actor, because loading blocks the thread it runs on, and the main thread is not one of the
    /// cooperative pool's.
    ///
    /// - Returns: The process's exit status; what went wrong has been logged.
    @MainActor
    public func run() async -> Int32 {
        defer { logger.flush(timeout: Self.logFlushLimit) }
        do {
            try await serve()
            return EXIT_SUCCESS
        } catch {
            logger.log(.error, event: "start_failed", fields: ["reason": .string("\(error)")])
            return EXIT_FAILURE
        }
    }

    @MainActor
    private func serve() async throws {
        // Before anything else: a signal that comes while the model is loaded stops the service once it is.
        let stopSignal = StopSignal(second: stopAtOnce)
        try StartError.requireThreadFiles()
        let clock = ContinuousClock()
        let begun = clock.now
        let cores = UsableCores.detect()
        guard hasLibvips || configuration.decode.formats == [.jpeg] else { throw StartError.libvipsUnusable }
        let service = try ServiceAssembly(
            configuration, inheritedDescriptors: try SocketActivation.descriptors(environment: environment),
            cores: cores, logger: logger)
        if let problem = service.cacheProblem {
            logger.log(.warning, event: "model_cache_unused", fields: ["reason": .string(problem)])
        }
        let addresses = try await service.server.start()
        logger.log(
            .info, event: "ready",
            fields: [
                "address": .string(addresses.map(\.description).joined(separator: " ")),
                "port": .integer(addresses.first?.port ?? 0),
                "admin_port": .integer(service.poolWatch.adminPort), "model": .string(service.analyzer.model.card.name),
                "version": .string(Version.current), "usable_cores": .integer(cores.count),
                "decode_threads": .integer(service.decodeLane.threads), "start_ms": .milliseconds(clock.now - begun),
            ])

        let signal = try await stopSignal.wait()
        service.readiness.beginStopping()
        let delay = configuration.server.drainDelay
        let grace = configuration.server.shutdownGrace
        logger.log(
            .info, event: "stopping",
            fields: [
                "signal": .string(signal), "drain_delay_ms": .milliseconds(delay), "grace_ms": .milliseconds(grace),
            ])
        try await drain(for: delay, service.timers)
        // Before the requests are waited for, since some of them wait for a job's end.
        service.jobs.shutDown()
        await service.server.stop(grace: grace)
        await service.jobs.ended()
        try await service.analyzer.ended()
        await service.cache.close()
        service.poolWatch.stop()
        stopSignal.ignore()
        logger.log(.info, event: "stopped")
    }

    /// Goes on serving while load balancers learn that they should look elsewhere.
    private func drain(for delay: Duration, _ timers: TimerQueue) async throws {
        guard delay > .zero else { return }
        let over = ResumeOnce<Void>()
        timers.schedule(at: .now + delay) { over.resume(returning: ()) }
        try await over.value()
    }

    @Sendable private func stopAtOnce() {
        logger.log(.warning, event: "stopped_at_once", fields: ["reason": "second signal"])
        logger.flush(timeout: Self.logFlushLimit)
        _exit(EXIT_FAILURE)
    }
}
