import Glibc
import PoolHealth
import Scheduling
import Telemetry
import Threads

/// What the incidents are shown on: the monitor and the admin port, as a server would have them, and a narrator.
final class Stage {
    /// What the monitor calls a stall; a cured form has to stay below.
    private static let stall = Duration.milliseconds(250)
    /// The monitor reports within half a second; a busy machine gets more.
    private static let patience = Duration.seconds(5)

    /// As many tasks of one priority run at a time; so many blocked ones stop all others.
    let poolWidth = max(1, sysconf(Int32(_SC_NPROCESSORS_CONF)))
    let inFlight = InFlight(stages: ["work", "awaiting callback"])
    private let monitor: PoolMonitor
    private let admin: AdminListener

    init() throws {
        let registry = MetricsRegistry()
        // A server would log to standard error. Here the narrator tells what the log lines say.
        let logger = Logger(format: .text, sink: .fileDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC)))
        monitor = try PoolMonitor(registry: registry, logger: logger, inFlight: inFlight)
        admin = try AdminListener(port: 0, routes: PoolAdmin.routes(monitor: monitor, registry: registry))
        wait { monitor.mode != nil }
        print("\(poolWidth) processors, so \(poolWidth) tasks of a priority at a time. Monitor: \(mode).")
    }

    func title(_ text: String) { print("\n\(text)") }
    func form(_ text: String) { print("  \(text)") }
    func say(_ what: String, _ text: String) { print("    \(pad(what, to: 22))\(text)") }

    /// Says whether something is as it should be.
    func check(_ condition: Bool, _ what: String, _ text: String) -> Bool {
        say((condition ? "" : "NO  ") + what, text)
        return condition
    }

    // MARK: The naive forms

    /// Starts what starves the default pool, and tells what the monitor makes of it.
    ///
    /// - Parameters:
    ///   - culprit: the function that has to be on the blocked threads' stacks.
    ///   - body: starts tasks and returns.
    func starve(culprit: String, _ body: () -> Void) -> Bool {
        let stallsBefore = monitor.stalls.count
        let begin = ContinuousClock.now
        body()
        let probe = EmptyTask()
        // The admin port is asked in the midst of it: while the empty task still waits.
        wait { diagnosis(after: stallsBefore) != nil }
        let reportedAfter = ContinuousClock.now - begin
        guard let stall = diagnosis(after: stallsBefore) else {
            return check(false, "no diagnosis", "the monitor saw no stall within \(Self.patience)")
        }
        let answer = AdminClient.get("/debug/pool", port: admin.port)
        let wasStandingStill = probe.latency == nil

        let checks = [
            check(
                stall.verdict.cause == .blocked && stall.pool == Pool.default.rawValue, "verdict",
                "\(stall.verdict.cause.rawValue), pool \(stall.pool), after \(format(reportedAfter))"),
            checkCulprit(stall.culprits[0], culprit),
            check(
                answer.status == 200 && wasStandingStill, "the admin port",
                "answered in \(format(answer.duration)) while the pool stood still"),
        ]
        say("an empty task", "waited \(format(probe.awaited()))")
        wait { monitor.stalls.last?.duration != nil }
        say("the stall", monitor.stalls.last?.duration.map { "lasted \(format($0))" } ?? "goes on")
        return checks.allSatisfy { $0 }
    }

    /// Tells where the threads are, and from where they came there, as far as that is this program.
    private func checkCulprit(_ culprit: Culprit, _ function: String) -> Bool {
        let own = culprit.frames.filter { $0.function.contains(function) && $0.line != nil }
        let isNamed = check(
            !own.isEmpty, "culprit",
            "\(culprit.threads) x \(culprit.site), waits for \(culprit.wait?.rawValue ?? "what is unknown")")
        if let caller = own.first, caller.site != culprit.site { say("", "called by \(caller.site)") }
        return isNamed
    }

    /// The stall that began since, once the threads' stacks have been read.
    private func diagnosis(after count: Int) -> StallRecord? {
        let stalls = monitor.stalls
        guard stalls.count > count, let stall = stalls.last, !stall.culprits.isEmpty else { return nil }
        return stall
    }

    // MARK: The cured forms

    /// Runs work to its end, asking the pool all the time how long an empty task has to wait.
    ///
    /// - Returns: what `work` returned, and whether nothing starved.
    func watch<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) -> (result: Result, isWell: Bool) {
        let stallsBefore = monitor.stalls.count
        let outcome = Locked<Result?>(nil)
        Task.detached {
            let result = await work()
            outcome.withLock { $0 = result }
        }
        var latencies: [Duration] = []
        while true {
            latencies.append(EmptyTask().awaited())
            if let result = outcome.withLock({ $0 }) {
                let worst = latencies.max() ?? .zero
                let isWell = check(
                    worst < Self.stall && monitor.stalls.count == stallsBefore, "an empty task",
                    "waited at most \(format(worst)) (\(latencies.count) asked)")
                return (result, isWell)
            }
            usleep(5_000)
        }
    }

    // MARK: Helpers

    private var mode: String { monitor.mode?.rawValue ?? "not ready" }

    /// Until something is so, or patience has run out.
    private func wait(until condition: () -> Bool) {
        let end = ContinuousClock.now + Self.patience
        while !condition(), ContinuousClock.now < end { usleep(5_000) }
    }

    func format(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        return milliseconds < 100
            ? "\((milliseconds * 10).rounded() / 10) ms" : "\((milliseconds / 10).rounded() / 100) s"
    }

    private func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
