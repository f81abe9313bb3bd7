import Glibc
import PoolHealth
import Telemetry
import Threads

/// A program with nothing but the monitor and the admin listener, to be broken by the tests.
@main
enum Main {
    static func main() throws {
        let registry = MetricsRegistry()
        let logger = Logger(format: .json, sink: .fileDescriptor(STDERR_FILENO))
        let inFlight = InFlight(stages: ["read", "decode"], capacity: 8)
        let request = inFlight.begin("request-1")
        request.stage = "decode"
        try startLane()
        let monitor = try PoolMonitor(
            registry: registry, logger: logger, inFlight: inFlight, lanes: ["worker", "nobody"],
            abortAfter: abortAfter())
        let listener = try AdminListener(
            port: 0, routes: PoolAdmin.routes(monitor: monitor, registry: registry, allowsChaos: true))
        logger.log(.info, event: "ready", fields: ["port": .integer(listener.port)])
        while true { pause() }
    }

    /// A lane of two threads, of which one has nothing to do and one waits in the middle of its work.
    private static func startLane() throws {
        let nothingToDo = ThreadSemaphore()
        let crew = ThreadRoll.Crew(name: "worker", idlePlace: nothingToDo)
        try OwnThread.start(name: "worker-0", crew: crew) { while true { nothingToDo.wait() } }
        try OwnThread.start(name: "worker-1", crew: crew) { while true { poll(nil, 0, -1) } }
    }

    /// `--abort-after 1.5`
    private static func abortAfter() -> Duration? {
        guard let index = CommandLine.arguments.firstIndex(of: "--abort-after"),
            index + 1 < CommandLine.arguments.count, let seconds = Double(CommandLine.arguments[index + 1])
        else { return nil }
        return .seconds(seconds)
    }
}
