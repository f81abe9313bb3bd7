import HTTPWire
import Telemetry

/// What Prometheus hears of a server. Every series is there at zero from the start, and none is made by what clients
/// send.
public struct ServerMetrics: ServerObserver {
    /// What stands for the status where no response was begun.
    public static let noStatus = "none"

    /// The statuses that are counted each for itself; any other one counts as `other`.
    private static let statuses = [
        200, 202, 204, 304, 400, 401, 403, 404, 405, 406, 408, 413, 414, 415, 417, 422, 429, 431, 500, 501, 502, 503,
        504, 505,
    ].map(String.init)

    private let requests: CounterFamily
    private let durations: HistogramFamily
    private let inFlight: GaugeFamily
    private let received: Counter
    private let sent: Counter
    private let open: Gauge
    private let accepted: Counter
    private let exhaustions: Counter
    private let refusals: CounterFamily
    private let disconnects: CounterFamily
    private let timeouts: CounterFamily
    private let parseErrors: CounterFamily

    /// Registers the metrics; a registry takes those of one server.
    public init(registry: MetricsRegistry, router: Router) {
        let routes = Self.names(of: router)
        requests = registry.counterFamily(
            "http_server_requests_total", help: "Requests that are over, by route and status of the response.",
            labels: Label("route", values: routes, fallback: Router.unmatchedName),
            Label("status", values: Self.statuses + [Self.noStatus]))
        durations = registry.histogramFamily(
            "http_server_request_duration_seconds",
            help: "From the end of a request's head to the end of its response, for responses that were sent whole.",
            labels: Label("route", values: routes, fallback: Router.unmatchedName), buckets: .latencySeconds)
        inFlight = registry.gaugeFamily(
            "http_server_requests_in_flight",
            help: "Requests that are being answered, by route; the scrape that asks for this is one of them.",
            labels: Label("route", values: routes, fallback: Router.unmatchedName))
        received = registry.counter("http_server_received_bytes_total", help: "Bytes read from clients.")
        sent = registry.counter("http_server_sent_bytes_total", help: "Bytes written to clients.")
        open = registry.gauge("http_server_connections_open", help: "Connections that are open.")
        accepted = registry.counter("http_server_connections_total", help: "Connections that were accepted.")
        exhaustions = registry.counter(
            "http_server_accept_exhausted_total",
            help: "Times that accepting paused because the process had no descriptors or memory left.")
        refusals = registry.counterFamily(
            "http_server_connections_refused_total", help: "Connections that were turned away with 503, by reason.",
            labels: Label("reason", values: RefusalReason.allCases.map(\.rawValue), fallback: nil))
        disconnects = registry.counterFamily(
            "http_server_disconnects_total",
            help: "Clients that left before they had their answer, by what the connection was doing.",
            labels: Label("phase", values: DisconnectPhase.allCases.map(\.rawValue), fallback: nil))
        timeouts = registry.counterFamily(
            "http_server_timeouts_total", help: "Clients that used up their time, by kind of limit.",
            labels: Label("kind", values: TimeoutKind.allCases.map(\.rawValue), fallback: nil))
        parseErrors = registry.counterFamily(
            "http_server_parse_errors_total", help: "Heads and bodies that were refused, by what was wrong with them.",
            labels: Label(
                "kind",
                values: RequestError.slugs + BodyDecodingError.slugs + GzipError.slugs
                    + [ContentCoding.unsupportedSlug]))
    }

    /// Counts an open connection.
    public func connectionOpened() {
        open.add(1)
        accepted.increment()
    }

    /// Counts a connection less.
    public func connectionClosed() {
        open.add(-1)
    }

    /// Counts a pause of accepting.
    public func acceptExhausted() {
        exhaustions.increment()
    }

    /// Counts a connection that was turned away.
    public func connectionRefused(_ reason: RefusalReason) {
        refusals[reason.rawValue].increment()
    }

    /// Counts a client that left.
    public func clientDisconnected(_ phase: DisconnectPhase) {
        disconnects[phase.rawValue].increment()
    }

    /// Counts a client that was too slow.
    public func timedOut(_ kind: TimeoutKind) {
        timeouts[kind.rawValue].increment()
    }

    /// Counts what couldn't be read.
    public func inputRefused(slug: String) {
        parseErrors[slug].increment()
    }

    /// Counts a request in flight.
    public func requestStarted(route: String) {
        inFlight[route].add(1)
    }

    /// Counts a request that is over.
    public func requestFinished(_ record: RequestRecord) {
        // Last what says that it is over: whoever has read that nothing is in flight finds it counted.
        defer { inFlight[record.route].add(-1) }
        requests[record.route, record.status.map { String($0.code) } ?? Self.noStatus].increment()
        guard record.outcome == .completed else { return }
        durations[record.route].observe(record.duration)
    }

    /// Counts bytes that came in.
    public func bytesReceived(_ count: Int) {
        received.increment(by: count)
    }

    /// Counts bytes that went out.
    public func bytesSent(_ count: Int) {
        sent.increment(by: count)
    }

    /// The routes' names, each once.
    private static func names(of router: Router) -> [String] {
        var names: [String] = []
        for route in router.routes where !names.contains(route.name) {
            names.append(route.name)
        }
        return names
    }
}
