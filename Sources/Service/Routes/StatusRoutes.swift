import Analysis
import HTTPServer
import HTTPWire
import PoolHealth
import Telemetry

/// The routes that tell about the service itself, answered right on the reactor.
struct StatusRoutes: Sendable {
    let registry: MetricsRegistry
    let readiness: Readiness
    let poolMonitor: PoolMonitor
    let livezFailsWithThePool: Bool
    let analyzer: Analyzer

    /// What machines ask for every few seconds.
    static let quietNames: Set<String> = ["livez", "readyz", "metrics"]

    var all: [Route] {
        [
            .immediate(.get, "/livez", name: "livez") { _ in
                health(livezFailsWithThePool ? poolMonitor.readiness.reason : nil)
            },
            .immediate(.get, "/readyz", name: "readyz") { _ in
                readiness.isReady ? health(poolMonitor.readiness.reason) : Response(Problem.stopping)
            },
            .immediate(.get, "/metrics", name: "metrics") { _ in
                Response(contentType: MetricsRegistry.contentType, bytes: registry.prometheusText())
            },
            .immediate(.get, "/version", name: "version") { _ in
                Self.json { $0.member("version", Version.current) }
            },
            .immediate(.get, "/v1/models", name: "models") { _ in models },
        ]
    }

    private func health(_ reason: String?) -> Response {
        reason.map { Response(.poolStarved($0)) } ?? .text("ok\n")
    }

    private var models: Response {
        let card = analyzer.model.card
        return Self.json { json in
            json.key("models")
            json.array([card]) { json, card in
                json.object { json in
                    json.member("name", card.name)
                    json.member("fingerprint", analyzer.fingerprint)
                    json.member("dimensions", card.output.dimensions)
                    json.member("normalized", card.output.normalize)
                    json.member("description", card.description)
                    json.member("license", card.license)
                    json.member("source", card.source)
                }
            }
        }
    }

    private static func json(_ members: (inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter()
        json.object(members)
        return Response(contentType: "application/json", bytes: json.bytes + [UInt8(ascii: "\n")])
    }
}
