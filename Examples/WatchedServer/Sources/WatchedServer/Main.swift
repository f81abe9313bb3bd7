import PoolHealth
import Telemetry

/// A program whose pools are watched: `curl localhost:8081/debug/pool`.
@main
enum Main {
    static func main() async throws {
        let registry = MetricsRegistry()
        let logger = Logger(format: .text, sink: .fileDescriptor(2))
        let inFlight = InFlight(stages: ["read", "work", "write"])
        let monitor = try PoolMonitor(registry: registry, logger: logger, inFlight: inFlight)
        let admin = try AdminListener(port: 8081, routes: PoolAdmin.routes(monitor: monitor, registry: registry))
        logger.log(.info, event: "watching", fields: ["port": .integer(admin.port)])
        for number in 1... {
            let request = inFlight.begin("request-\(number)")
            request.stage = "work"
            // A server's work would be here, in place of a wait.
            try await Task.sleep(for: .seconds(1))
            request.end()
        }
        monitor.stop()
    }
}
