import HTTPWire
import Telemetry

/// The routes of the admin listener.
public enum PoolAdmin {
    /// Every route: `/metrics`, `/livez`, `/readyz`, `/debug/` (a page), `/debug/pool`, `/debug/stalls`,
    /// `/debug/stacks`, and with `allowsChaos` POST `/debug/chaos`.
    ///
    /// The ones under `/debug/` answer in JSON with `Accept: application/json` or `?format=json`.
    ///
    /// - Parameters:
    ///   - monitor: what `/debug/` tells about, and what `/readyz` asks.
    ///   - registry: what `/metrics` serves.
    ///   - isLive: what `/livez` asks: `nil` when all is well, else the reason. By default all is always well: ending
    ///     a process for a stall is a decision.
    ///   - isReady: what `/readyz` asks besides the monitor, the same way.
    ///   - allowsChaos: whether the route that breaks pools exists.
    public static func routes(
        monitor: PoolMonitor, registry: MetricsRegistry, allowsChaos: Bool = false,
        isLive: @escaping @Sendable () -> String? = { nil }, isReady: @escaping @Sendable () -> String? = { nil }
    ) -> [AdminRoute] {
        let state = monitor.state
        var routes = [
            AdminRoute("/metrics") { _ in
                AdminResponse(contentType: MetricsRegistry.contentType, body: registry.prometheusText())
            },
            AdminRoute("/livez") { _ in health(isLive()) },
            AdminRoute("/readyz") { [weak monitor] _ in health(isReady() ?? monitor?.readiness.reason) },
            AdminRoute("/debug/") { _ in
                AdminResponse(contentType: "text/html; charset=utf-8", body: DebugPage.html)
            },
            AdminRoute("/debug/pool") { request in pools(state, request) },
            AdminRoute("/debug/stalls") { request in
                let records = state.journal.records
                return request.wantsJSON ? .json(PoolJSON.stalls(records)) : .text(PoolText.stalls(records))
            },
            AdminRoute("/debug/stacks") { request in
                let threads = AllStacks.capture(name: state.reporter.names.frames)
                return request.wantsJSON ? .json(PoolJSON.stacks(threads)) : .text(PoolText.stacks(threads))
            },
        ]
        if allowsChaos { routes.append(AdminRoute(.post, "/debug/chaos", answer: chaos)) }
        return routes
    }

    private static func health(_ reason: String?) -> AdminResponse {
        guard let reason else { return .text("ok\n") }
        return .text(reason + "\n", status: .serviceUnavailable)
    }

    private static func pools(_ state: MonitorState, _ request: AdminRequest) -> AdminResponse {
        let report = state.journal.report
        let records = state.journal.records
        let requests = state.inFlight?.snapshot() ?? []
        guard request.wantsJSON else { return .text(PoolText.pools(report, records: records, requests: requests)) }
        let stages = zip(state.inFlight?.stages ?? [], state.inFlight?.countsByStage() ?? [])
        return .json(
            PoolJSON.pools(report, records: records, requests: requests, stages: stages.map { ($0, $1) }))
    }

    /// `?fault=sleep&workers=2&pool=default&seconds=3`
    private static func chaos(_ request: AdminRequest) -> AdminResponse {
        let faults = ChaosFault.allCases.map(\.rawValue).joined(separator: ", ")
        guard let fault = request.query("fault").flatMap(ChaosFault.init) else {
            return .text("fault is one of \(faults)\n", status: .badRequest)
        }
        guard let pool = Pool(rawValue: request.query("pool") ?? Pool.default.rawValue), pool != .overcommit else {
            let pools = Pool.ofTasks.map(\.rawValue).joined(separator: ", ")
            return .text("pool is one of \(pools)\n", status: .badRequest)
        }
        guard let workers = Int(request.query("workers") ?? "2"), (1...Chaos.maximumWorkers).contains(workers) else {
            return .text("workers is 1 to \(Chaos.maximumWorkers)\n", status: .badRequest)
        }
        let limit = Chaos.maximumDuration.inSeconds
        guard let seconds = Double(request.query("seconds") ?? "2"), seconds > 0, seconds <= limit else {
            return .text("seconds is above 0 and at most \(limit)\n", status: .badRequest)
        }
        Chaos.start(fault, workers: workers, pool: pool, duration: .seconds(seconds))
        return .text("\(fault.rawValue): \(workers) at \(pool.rawValue) for \(seconds) s\n", status: .accepted)
    }
}
