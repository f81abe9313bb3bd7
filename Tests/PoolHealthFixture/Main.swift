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
        try startFault(logger)
        while true { pause() }
    }

    /// A lane of two threads, of which one has nothing to do and one waits in the middle of its work.
    private static func startLane() throws {
        let nothingToDo = ThreadSemaphore()
        let crew = ThreadRoll.Crew(name: "worker", idlePlace: nothingToDo)
        try OwnThread.start(name: "worker-0", crew: crew) { while true { nothingToDo.wait() } }
        try OwnThread.start(name: "worker-1", crew: crew) { while true { poll(nil, 0, -1) } }
    }

    /// `--fault sleep --after 4`: the default pool is broken by a thread of its own and so long after the start, so
    /// that nothing happens in the process before.
    private static func startFault(_ logger: Logger) throws {
        guard let fault = value(of: "--fault"), let delay = value(of: "--after").flatMap(Double.init) else { return }
        let start = try broken(by: fault)
        try OwnThread.start(name: "fault") {
            ThreadSemaphore().wait(atMost: .seconds(delay))
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            start()
            logger.log(
                .info, event: "fault", fields: ["at": .double(Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)])
        }
    }

    /// One of the monitor's own faults, or `ask`: tasks that ask again and again whether something is done.
    private static func broken(by fault: String) throws -> @Sendable () -> Void {
        let seconds = 3.0
        guard fault == "ask" else {
            let plan = try ChaosPlan { ["fault": fault, "seconds": "\(seconds)"][$0] }
            return { Chaos.start(plan) }
        }
        return {
            let end = ContinuousClock.now + .seconds(seconds)
            for _ in 0..<2 * sysconf(Int32(_SC_NPROCESSORS_CONF)) { Task.detached { askAgain(until: end) } }
        }
    }

    private static func value(of option: String) -> String? {
        guard let index = CommandLine.arguments.firstIndex(of: option), index + 1 < CommandLine.arguments.count else {
            return nil
        }
        return CommandLine.arguments[index + 1]
    }

    /// `--abort-after 1.5`
    private static func abortAfter() -> Duration? {
        value(of: "--abort-after").flatMap(Double.init).map { .seconds($0) }
    }
}

@inline(never) private func askAgain(until end: ContinuousClock.Instant) {
    while ContinuousClock.now < end { usleep(2_000) }
}
