import HTTPServer
import HTTPWire
import Telemetry
import Testing
import Threads

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
            #"http_server_connections_refused_total{reason="limit"} 0"#,
            #"http_server_connections_refused_total{reason="descriptors"} 0"#,
            #"http_server_disconnects_total{phase="reading_head"} 0"#,
            #"http_server_disconnects_total{phase="writing"} 0"#,
            #"http_server_timeouts_total{kind="header"} 0"#, #"http_server_timeouts_total{kind="body_rate"} 0"#,
            #"http_server_parse_errors_total{kind="conflicting-framing"} 0"#,
            #"http_server_parse_errors_total{kind="invalid-chunk-size"} 0"#,
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

    @Test func countsRefusalsDisconnectsTimeoutsAndParseErrors() throws {
        let registry = MetricsRegistry()
        let metrics = ServerMetrics(registry: registry, router: try Router([echo]))
        let series = lines(registry).count
        let observers = ServerObservers([metrics])
        RefusalReason.allCases.forEach(observers.connectionRefused)
        DisconnectPhase.allCases.forEach(observers.clientDisconnected)
        TimeoutKind.allCases.forEach(observers.timedOut)
        let codings = ["corrupt-gzip", "truncated-gzip", "gzip-trailing-bytes", "unsupported-content-coding"]
        for slug in RequestError.slugs + BodyDecodingError.slugs + codings + ["invented", "by a client"] {
            observers.inputRefused(slug: slug)
        }
        let lines = lines(registry)
        #expect(lines.count == series)
        for name in ["connections_refused", "disconnects", "timeouts", "parse_errors"] {
            let values = lines.filter { $0.hasPrefix("http_server_\(name)_total{") }
            #expect(
                values.allSatisfy { $0.hasSuffix(" 1") || $0 == #"http_server_parse_errors_total{kind="other"} 2"# })
        }
        #expect(lines.contains(#"http_server_parse_errors_total{kind="other"} 2"#))
    }

    @Test func tellsWhatAClientGotWrong() async throws {
        try await withServer([echo]) { test in
            let hostless = try await test.exchange("GET / HTTP/1.1\r\n\r\n")
            #expect(hostless.status == 400)
            let large = try await test.exchange(request("POST", "/echo", "Content-Length: 99999999999"))
            #expect(large.status == 413)
            let chunked = try await test.exchange(
                request("POST", "/echo", "Transfer-Encoding: chunked", body: "+5\r\n"))
            #expect(chunked.status == 400)
            #expect(test.recorder.refusedInput == ["missing-host", "body-too-large", "invalid-chunk-size"])
        }
    }

    @Test func tellsWhatAConnectionWasDoingWhenItsClientLeft() async throws {
        let begun = Signal()
        let never = Signal()
        let stuck = Route(.get, "/stuck", name: "stuck") { _ in
            begun.send()
            await never.wait()
            throw CancellationError()
        }
        try await withServer([stuck, echo, hello]) { test in
            func leave(_ text: String, receiving: Bool = false, waiting: Bool = false) async throws {
                let closed = test.recorder.closed
                let client = try test.client()
                try await client.send(text)
                if receiving { _ = try await client.receiveResponse() }
                if waiting { await begun.wait() }
                try await client.finishSending()
                await test.recorder.waitUntilClosed(closed + 1)
                try await client.close()
            }
            try await leave("")
            try await leave(request("GET", "/hello"), receiving: true)
            #expect(test.recorder.disconnects == [])
            try await leave("GET /he")
            try await leave(request("POST", "/echo", "Content-Length: 5", body: "He"))
            try await leave(request("GET", "/stuck"), waiting: true)
            #expect(test.recorder.disconnects == [.readingHead, .readingBody, .handling])
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
        let written = Locked<[UInt8]>([])
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
