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

    /// `?fault=sleep&pool=default&workers=2&seconds=3`
    private static func chaos(_ request: AdminRequest) -> AdminResponse {
        do {
            let plan = try ChaosPlan(request.query)
            Chaos.start(plan)
            return .text(plan.summary + "\n", status: .accepted)
        } catch {
            return .text("\(error)\n", status: .badRequest)
        }
    }
}
