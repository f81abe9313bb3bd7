import Analysis
import Glibc
import HTTPServer
import Scheduling
import Telemetry

/// The service: every room, put together.
public struct EmbeddService: Sendable {
    /// How long the log may take to be written when the process ends.
    private static let logFlushLimit = Duration.seconds(2)

    private let configuration: Configuration
    private let environment: [String: String]
    private let logger: Logger

    /// A service that has not been started.
    /// - Parameter environment: The process's environment, which may tell of listening sockets that it inherited.
    public init(configuration: Configuration, environment: [String: String]) {
        self.configuration = configuration
        self.environment = environment
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
    /// Loading blocks the calling thread, which must not be one of the cooperative pool.
    ///
    /// - Returns: The process's exit status; what went wrong has been logged.
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

    private func serve() async throws {
        let clock = ContinuousClock()
        let begun = clock.now
        let cores = UsableCores.detect()
        let service = try ServiceAssembly(
            configuration, inheritedDescriptors: try SocketActivation.descriptors(environment: environment),
            cores: cores, logger: logger)
        if let problem = service.cacheProblem {
            logger.log(.warning, event: "model_cache_unused", fields: ["reason": .string(problem)])
        }
        let stopSignal = StopSignal(second: stopAtOnce)
        let addresses = try await service.server.start()
        logger.log(
            .info, event: "ready",
            fields: [
                "address": .string(addresses.map(\.description).joined(separator: " ")),
                "port": .integer(addresses.first?.port ?? 0), "model": .string(service.analyzer.model.card.name),
                "version": .string(Version.current), "usable_cores": .integer(cores.count),
                "decode_threads": .integer(service.decodeLane.threads), "start_ms": .milliseconds(clock.now - begun),
            ])

        let signal = try await stopSignal.wait()
        service.readiness.beginStopping()
        let grace = configuration.server.shutdownGrace
        logger.log(
            .info, event: "stopping", fields: ["signal": .string(signal), "grace_ms": .milliseconds(grace)])
        await service.server.stop(grace: grace)
        logger.log(.info, event: "stopped")
    }

    @Sendable private func stopAtOnce() {
        logger.log(.warning, event: "stopped_at_once", fields: ["reason": "second signal"])
        logger.flush(timeout: Self.logFlushLimit)
        _exit(EXIT_FAILURE)
    }
}
