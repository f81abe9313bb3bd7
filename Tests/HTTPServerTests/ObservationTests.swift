import HTTPServer
import HTTPWire
import Synchronization
import Telemetry
import Testing

@Suite(.timeLimit(.minutes(2))) struct ObservationTests {
    private func record(
        route: String = "echo", status: HTTPStatus? = .ok, outcome: RequestRecord.Outcome = .completed,
        path: String = "/echo"
    ) -> RequestRecord {
        RequestRecord(
            id: "id", remoteAddress: SocketAddress(host: "::1", port: 9), method: "POST", path: path, route: route,
            status: status, bodyBytesReceived: 3, responseBytes: 150, duration: .milliseconds(20), outcome: outcome)
    }

    private func lines(_ registry: MetricsRegistry) -> Set<String> {
        Set(String(decoding: registry.prometheusText(), as: UTF8.self).split(separator: "\n").map(String.init))
    }

    @Test func everySeriesStartsAtZero() throws {
        let registry = MetricsRegistry()
        _ = ServerMetrics(registry: registry, router: try Router([echo, hello]))
        let lines = lines(registry)
        for series in [
            #"http_server_requests_total{route="echo",status="200"} 0"#,
            #"http_server_requests_total{route="unmatched",status="404"} 0"#,
            #"http_server_requests_total{route="hello",status="none"} 0"#,
            #"http_server_request_duration_seconds_count{route="hello"} 0"#,
            #"http_server_requests_in_flight{route="echo"} 0"#,
            "http_server_received_bytes_total 0", "http_server_sent_bytes_total 0", "http_server_connections_open 0",
            "http_server_connections_total 0", "http_server_accept_exhausted_total 0",
        ] {
            #expect(lines.contains(series), "\(series)")
        }
    }

    @Test func countsRequestsByRouteAndStatus() throws {
        let registry = MetricsRegistry()
        let metrics = ServerMetrics(registry: registry, router: try Router([echo, hello]))
        let series = lines(registry).count
        metrics.connectionOpened()
        metrics.requestStarted(route: "echo")
        metrics.requestStarted(route: "echo")
        metrics.requestFinished(record())
        metrics.requestFinished(record(route: "echo", status: nil, outcome: .clientGone))
        metrics.requestStarted(route: "invented")
        metrics.requestFinished(record(route: "invented", status: HTTPStatus(418)))
        let lines = lines(registry)
        #expect(lines.count == series)
        for expected in [
            #"http_server_requests_total{route="echo",status="200"} 1"#,
            #"http_server_requests_total{route="echo",status="none"} 1"#,
            #"http_server_requests_total{route="unmatched",status="other"} 1"#,
            #"http_server_request_duration_seconds_count{route="echo"} 1"#,
            #"http_server_request_duration_seconds_bucket{route="echo",le="0.025"} 1"#,
            #"http_server_request_duration_seconds_bucket{route="echo",le="0.01"} 0"#,
            #"http_server_requests_in_flight{route="echo"} 0"#, "http_server_connections_open 1",
        ] {
            #expect(lines.contains(expected), "\(expected)")
        }
    }

    @Test func countsWhatARealServerDoes() async throws {
        let registry = MetricsRegistry()
        let router = try Router([echo, hello])
        let recorder = Recorder()
        let server = HTTPServer(
            configuration: ServerConfiguration(addresses: [SocketAddress(host: "127.0.0.1", port: 0)]), router: router,
            observer: ServerObservers([ServerMetrics(registry: registry, router: router), recorder]))
        let address = try #require(try await server.start().first)
        let client = try RawClient(address)
        let text = request("POST", "/echo", "Content-Length: 3", body: "abc")
        try await client.send(text)
        _ = try await client.receiveResponse()
        let finished = try #require(await recorder.nextRecord())
        try await client.close()
        await server.stop(grace: .seconds(60))
        #expect(finished.bodyBytesReceived == 3)
        #expect(finished.method == "POST")
        #expect(finished.path == "/echo")
        #expect(finished.duration > .zero)
        let lines = lines(registry)
        #expect(lines.contains(#"http_server_requests_total{route="echo",status="200"} 1"#))
        #expect(lines.contains("http_server_received_bytes_total \(text.utf8.count)"))
        #expect(lines.contains("http_server_sent_bytes_total \(finished.responseBytes)"))
        #expect(lines.contains("http_server_connections_total 1"))
        #expect(lines.contains("http_server_connections_open 0"))
        #expect(lines.contains(#"http_server_requests_in_flight{route="echo"} 0"#))
    }

    @Test func logsOneLineARequest() {
        let written = Mutex<[UInt8]>([])
        let logger = Logger(format: .json, sink: LogSink { bytes in written.withLock { $0 += bytes } })
        let log = AccessLog(logger: logger)
        log.requestFinished(record())
        log.requestFinished(record(status: nil, outcome: .clientGone, path: String(repeating: "a", count: 5000)))
        #expect(logger.flush(timeout: .seconds(60)))
        let lines = String(decoding: written.withLock { $0 }, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2)
        let expected =
            #""event":"request","request_id":"id","remote":"[::1]:9","method":"POST","path":"/echo","route":"echo","#
            + #""status":200,"bytes_in":3,"bytes_out":150,"duration_ms":20"#
        #expect(lines.first?.contains(expected) == true)
        #expect(lines.first?.contains(#""outcome":"completed""#) == true)
        #expect(lines.last?.contains(#""outcome":"client_gone""#) == true)
        #expect(lines.last?.contains("status") == false)
        #expect((lines.last?.count ?? 0) < 1500)
    }
}
