import Foundation
import TestSupport
import Testing

/// The service's HTTP as curl and Prometheus see it.
@Suite struct HTTPTests {
    @Test func healthVersionAndModelsAreServed() async throws {
        try await ServiceProcess.run { service in
            for path in ["/livez", "/readyz"] {
                try await untilTrue { try await service.get(path).text == "ok\n" }
            }
            let version = try await service.get("/version").json()
            #expect((version["version"] as? String)?.isEmpty == false)
            let models = try #require(try await service.get("/v1/models").json()["models"] as? [[String: Any]])
            #expect(models.map { $0["name"] as? String } == ["efficientnet-lite0"])
            #expect(models[0]["dimensions"] as? Int == 1280)
            #expect(models[0]["license"] as? String == "Apache-2.0")
            let embedded = try await service.post(Pictures.cat).json()
            #expect(models[0]["fingerprint"] as? String == embedded["model_fingerprint"] as? String)
        }
    }

    @Test func unknownPathsAndMethodsAreToldApart() async throws {
        try await ServiceProcess.run { service in
            let unknown = try await service.get("/v1/embeddings-of-cats")
            #expect(unknown.status == 404)
            #expect(unknown.field("content-type") == "application/problem+json")
            let method = try await service.get("/v1/embed")
            #expect(method.status == 405)
            #expect(method.field("allow")?.split(separator: ", ").contains("POST") == true)
            let head = try await Curl.answer(["--head", service.url + "/metrics"])
            #expect(head.status == 200)
            #expect(Int(head.field("content-length") ?? "") ?? 0 > 1000)
            #expect(head.body.isEmpty)
        }
    }

    @Test func everySeriesExistsFromTheStartAndPromtoolAcceptsThem() async throws {
        let promtool = dependencies.appending(path: "tools/promtool").path
        try await ServiceProcess.run { service in
            let answer = try await service.get("/metrics")
            #expect(answer.field("content-type") == "text/plain; version=0.0.4; charset=utf-8")
            for series in [
                "http_server_requests_total{route=\"embed\",status=\"200\"} 0",
                "http_server_requests_total{route=\"embed\",status=\"415\"} 0",
                "http_server_request_duration_seconds_count{route=\"embed\"} 0",
                "http_server_requests_in_flight{route=\"embed\"} 0",
                "http_server_received_bytes_total ", "http_server_sent_bytes_total ",
                "embedd_images_total{format=\"jpeg\",outcome=\"ok\"} 0",
                "embedd_images_total{format=\"webp\",outcome=\"broken\"} 0",
                "embedd_images_in_flight 0",
                "process_resident_memory_bytes ", "process_open_fds ", "process_cpu_seconds_total ",
                "embedd_build_info{",
            ] {
                #expect(answer.text.contains("\n" + series), "\(series)")
            }
            for stage in ["read", "queue", "decode", "preprocess", "infer", "encode"] {
                #expect(answer.text.contains("embedd_stage_duration_seconds_count{stage=\"\(stage)\"} 0\n"))
            }
            let folder = try TemporaryFolder()
            let file = try folder.write("metrics", answer.body)
            let result = try await CommandResult.run("sh", ["-c", "\(promtool) check metrics < \(file.path)"])
            #expect(result.exitStatus == 0 && result.errorText.isEmpty, "\(result.errorText)\(result.text)")
        }
    }

    @Test func whatHappenedIsCounted() async throws {
        try await ServiceProcess.run { service in
            let folder = try TemporaryFolder()
            let text = try folder.write("text", Data("hello".utf8))
            for _ in 0..<3 { #expect(try await service.post(Pictures.cat).status == 200) }
            #expect(try await service.post(text).status == 415)
            let counted = [
                "http_server_requests_total{route=\"embed\",status=\"200\"}": 3.0,
                "http_server_requests_total{route=\"embed\",status=\"415\"}": 1,
                "embedd_images_total{format=\"jpeg\",outcome=\"ok\"}": 3,
                "embedd_images_total{format=\"other\",outcome=\"unsupported\"}": 1,
                // The second and third time the picture was known.
                "embedd_stage_duration_seconds_count{stage=\"infer\"}": 1,
                "embedd_cache_requests_total{tier=\"memory\",result=\"miss\"}": 1,
                "embedd_cache_requests_total{tier=\"memory\",result=\"hit\"}": 2,
                "embedd_stage_duration_seconds_count{stage=\"encode\"}": 3,
                "http_server_requests_in_flight{route=\"embed\"}": 0, "embedd_images_in_flight": 0,
            ]
            for (series, value) in counted { #expect(try await service.metric(series) == value, "\(series)") }
        }
    }

    @Test func aRequestIdIsEchoedAndALogLineTellsOfTheRequest() async throws {
        try await ServiceProcess.run { service in
            let answer = try await service.post(Pictures.cat, ["-H", "X-Request-Id: abc-123"])
            #expect(answer.field("x-request-id") == "abc-123")
            try await untilTrue { try service.events().contains { $0["request_id"] as? String == "abc-123" } }
            let line = try #require(try service.events().first { $0["request_id"] as? String == "abc-123" })
            #expect(line["event"] as? String == "request")
            #expect(line["method"] as? String == "POST")
            #expect(line["path"] as? String == "/v1/embed")
            #expect(line["status"] as? Int == 200)
            #expect((line["duration_ms"] as? NSNumber)?.doubleValue ?? -1 > 0)
        }
    }

    @Test func aDeadlineThatPassesIsTold() async throws {
        let photograph = try #require(try Pictures.photographs().first { $0.lastPathComponent == "nuthatch.jpg" })
        try await ServiceProcess.run(["--decode.mode", "exact"]) { service in
            let answer = try await service.post(photograph, to: "/v1/embed?timeout_ms=1")
            #expect(answer.status == 504)
            #expect((try answer.json()["type"] as? String)?.hasSuffix("deadline-exceeded") == true)
            try await service.wait(for: "embedd_images_in_flight", toBe: 0)
        }
    }
}
