import Foundation
import TestSupport
import Testing

@Suite struct JobTests {
    private func batch(_ numbers: Range<Int>) throws -> Data {
        let picture = try Data(contentsOf: Pictures.cat)
        return Data(
            numbers.map { number in
                let base64 = (picture + Data("\(number)".utf8)).base64EncodedString()
                return #"{"id":"\#(number)","base64":"\#(base64)"}"# + "\n"
            }.joined().utf8)
    }

    private func create(_ numbers: Range<Int>, in service: ServiceProcess, query: String = "") async throws -> Answer {
        let folder = try TemporaryFolder()
        return try await service.post(
            try folder.write("batch", try batch(numbers)), to: "/v1/jobs" + query,
            ["-H", "Content-Type: application/x-ndjson"])
    }

    private func ask(_ method: String, _ target: String, of service: ServiceProcess) async throws -> Answer {
        try await Curl.answer(["--request", method, service.url + target])
    }

    @Test func aJobIsCreatedWorkedOffAndRead() async throws {
        try await ServiceProcess.run { service in
            let created = try await create(0..<12, in: service, query: "?id=nightly")
            #expect(created.status == 202)
            #expect(created.field("location") == "/v1/jobs/nightly")
            #expect(try created.json()["total"] as? Int == 12)

            // Follows the job to its end.
            let results = try await service.get("/v1/jobs/nightly/results?dimensions=4")
            #expect(results.status == 200)
            let lines = results.text.split(separator: "\n")
            #expect(lines.count == 13)
            #expect(lines.last == #"{"done":true,"total":12,"ok":12,"failed":0}"#)
            #expect(lines.dropLast().allSatisfy { $0.contains(#""dimensions":4"#) })

            let progress = try await service.get("/v1/jobs/nightly").json()
            #expect(progress["state"] as? String == "finished")
            #expect(progress["done"] as? Int == 12)
            #expect(progress["failed"] as? Int == 0)
            #expect(progress["cancelled"] as? Int == 0)
            #expect(progress["rate_per_second"] as? Double ?? 0 > 0)
            let list = try await service.get("/v1/jobs").json()["jobs"] as? [[String: Any]]
            #expect(list?.map { $0["id"] as? String } == ["nightly"])
        }
    }

    @Test func deletedTwicePausedWhenFinishedAskedForAfterItsTime() async throws {
        try await ServiceProcess.run(["--jobs.age", "1s"]) { service in
            _ = try await create(0..<1, in: service, query: "?id=a")
            _ = try await service.get("/v1/jobs/a/results")
            try await untilTrue { try await service.get("/v1/jobs/a").status == 404 }
            let expired = try await service.get("/v1/jobs/a/results")
            #expect(try expired.json()["type"] as? String == "urn:embedd:problem:unknown-job")
        }
        try await ServiceProcess.run { service in
            _ = try await create(0..<1, in: service, query: "?id=a")
            _ = try await service.get("/v1/jobs/a/results")
            let paused = try await ask("POST", "/v1/jobs/a/pause", of: service)
            #expect(paused.status == 409)
            #expect(try paused.json()["type"] as? String == "urn:embedd:problem:job-has-ended")
            #expect(try await ask("DELETE", "/v1/jobs/a", of: service).status == 200)
            let again = try await ask("DELETE", "/v1/jobs/a", of: service)
            #expect(again.status == 404)
            #expect(try again.json()["type"] as? String == "urn:embedd:problem:unknown-job")
            try await service.wait(for: "embedd_jobs_bytes", toBe: 0)
        }
    }

    /// Begins a job that can't end, since not all of it is sent.
    private func beginSending(_ id: String, _ numbers: Range<Int>, to service: ServiceProcess) async throws
        -> RawConnection
    {
        let client = try RawConnection(port: service.port)
        let head = "POST /v1/jobs?id=\(id) HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
        try client.send(Data((head + "Content-Length: 100000000\r\n\r\n").utf8) + batch(numbers))
        try await untilTrue { try await service.get("/v1/jobs/\(id)").json()["total"] as? Int == numbers.count }
        return client
    }

    private func progress(_ id: String, of service: ServiceProcess, _ member: String) async throws -> Int? {
        try await service.get("/v1/jobs/\(id)").json()[member] as? Int
    }

    @Test func aPausedJobStandsStillAndADeletedOneIsGivenUp() async throws {
        try await ServiceProcess.run { service in
            let client = try await beginSending("a", 0..<5, to: service)
            let paused = try await ask("POST", "/v1/jobs/a/pause", of: service)
            #expect(paused.status == 200)
            #expect(try paused.json()["state"] as? String == "paused")
            try client.send(try batch(5..<25))
            try await untilTrue { try await progress("a", of: service, "total") == 25 }
            for gauge in ["embedd_images_in_flight", "embedd_flights"] { try await service.wait(for: gauge, toBe: 0) }
            // Pictures that are sent after the pause are not worked on, however fast the machine is.
            #expect(try #require(try await progress("a", of: service, "done")) <= 5)
            #expect(try await ask("POST", "/v1/jobs/a/resume", of: service).status == 200)
            try await untilTrue { try await progress("a", of: service, "done") == 25 }

            _ = try await ask("POST", "/v1/jobs/a/pause", of: service)
            try client.send(try batch(25..<30))
            try await untilTrue { try await progress("a", of: service, "total") == 30 }
            let deleted = try await ask("DELETE", "/v1/jobs", of: service)
            let jobs = try deleted.json()["jobs"] as? [[String: Any]]
            #expect(jobs?.first?["state"] as? String == "cancelled")
            #expect(jobs?.first?["cancelled"] as? Int == 5)
            for gauge in ["embedd_jobs_bytes", "embedd_images_in_flight", "embedd_flights"] {
                try await service.wait(for: gauge, toBe: 0)
            }
            // Whoever still sends it learns of it at once.
            let answer = String(decoding: try await client.receive(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 409 "))
        }
    }

    @Test func aClientThatLeavesBeforeAllOfItIsThereTakesTheJobWithIt() async throws {
        try await ServiceProcess.run { service in
            do {
                let client = try await beginSending("a", 0..<1, to: service)
                // Work for seconds, so that some of it is left when the client has gone.
                try client.send(try batch(1..<400))
            }
            try await untilTrue { try await service.get("/v1/jobs/a").status == 404 }
            try await service.wait(for: "embedd_jobs_bytes", toBe: 0)
            // Nobody has deleted it.
            try await untilTrue { try await !service.cancellations().isEmpty }
            try await service.wait(for: "embedd_flights", toBe: 0)
            let cancellations = try await service.cancellations()
            #expect(
                !cancellations.isEmpty && cancellations.keys.allSatisfy { $0.hasSuffix(",client_gone") },
                "\(cancellations)")
        }
    }

    /// It takes the 10 s that a body may stand still.
    @Test func anUploadThatStandsStillAfterAPictureIsEndedAndMakesWayForOthers() async throws {
        try await ServiceProcess.run(["--batch.streams", "1"]) { service in
            let client = try RawConnection(port: service.port)
            let head = "POST /v1/jobs?id=stalled HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
            // A line that is no picture is one of the job's all the same, and buys no time.
            try client.send(Data((head + "Content-Length: 100000000\r\n\r\n{}\n").utf8))
            try await untilTrue { try await progress("stalled", of: service, "total") == 1 }
            #expect(try await service.metric("embedd_job_uploads_open") == 1)
            let refused = try await create(0..<1, in: service)
            #expect(try refused.json()["type"] as? String == "urn:embedd:problem:too-many-batches")

            let answer = String(decoding: try await client.receive(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
            try await service.wait(for: "embedd_job_uploads_open", toBe: 0)
            #expect(try await service.get("/v1/jobs/stalled").status == 404)
            #expect(try await create(0..<1, in: service).status == 202)
        }
    }

    @Test func aRequestThatIsSentAgainBeginsAnotherJob() async throws {
        try await ServiceProcess.run { service in
            let folder = try TemporaryFolder()
            let file = try folder.write("batch", try batch(0..<1))
            for _ in 0..<2 {
                let created = try await service.post(
                    file, to: "/v1/jobs",
                    ["-H", "Content-Type: application/x-ndjson", "-H", "X-Request-Id: mine"])
                #expect(created.status == 202)
            }
            let list = try await service.get("/v1/jobs").json()["jobs"] as? [[String: Any]]
            #expect(list?.count == 2)
        }
    }

    @Test func anUploadThatFindsNoRoomIsToldWhenToComeAgain() async throws {
        // Room for a result and 33 pictures of 31 KB.
        try await ServiceProcess.run(["--jobs.bytes", "1MiB"]) { service in
            let client = try await beginSending("paused", 0..<1, to: service)
            try await untilTrue { try await progress("paused", of: service, "done") == 1 }
            #expect(try await ask("POST", "/v1/jobs/paused/pause", of: service).status == 200)
            try client.send(try batch(1..<34))
            try await untilTrue { try await progress("paused", of: service, "total") == 34 }
            // Whoever waits for the job's end hears of it at the same time, which must not be what the client is told.
            for number in 0..<10 {
                let refused = try await create(0..<1, in: service, query: "?id=b\(number)")
                #expect(refused.status == 503, "\(number) \(refused.text)")
                #expect(refused.field("retry-after") != nil)
                #expect(try refused.json()["type"] as? String == "urn:embedd:problem:no-room-for-jobs")
                #expect(try await service.get("/v1/jobs/b\(number)").status == 404)
            }
            // A client that left would take its job with it.
            withExtendedLifetime(client) {}
        }
    }

    @Test(arguments: ["timeout_ms", "id"])
    func resultsRefuseWhatTheyWouldIgnore(name: String) async throws {
        try await ServiceProcess.run { service in
            _ = try await create(0..<1, in: service, query: "?id=a")
            let answer = try await service.get("/v1/jobs/a/results?\(name)=5")
            #expect(answer.status == 400)
            #expect((try answer.json()["detail"] as? String)?.contains(name) == true)
        }
    }

    @Test func jobsThatAreUnderWayDoNotKeepTheServiceFromStopping() async throws {
        try await ServiceProcess.run(["--server.shutdown_grace", "100ms"]) { service in
            _ = try await create(0..<300, in: service, query: "?id=a")
            try await untilTrue { try await service.get("/v1/jobs/a").json()["done"] as? Int ?? 0 > 0 }
        }
    }

    @Test func whoSendsOrFollowsAJobIsToldThatTheServiceStops() async throws {
        // Longer than the test may take: nobody waits for its end.
        try await ServiceProcess.run(["--server.shutdown_grace", "10m"]) { service in
            let uploader = try await beginSending("a", 0..<1, to: service)
            try await untilTrue { try await progress("a", of: service, "done") == 1 }
            _ = try await ask("POST", "/v1/jobs/a/pause", of: service)
            let follower = try RawConnection(port: service.port)
            try follower.send(Data("GET /v1/jobs/a/results HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            var results = String(decoding: try await follower.receive(), as: UTF8.self)
            kill(service.processIdentifier, SIGTERM)
            let answer = String(decoding: try await uploader.receive(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
            while !results.contains(#""done":false"#) {
                results += String(decoding: try await follower.receive(), as: UTF8.self)
            }
            #expect(results.contains("job-cancelled"))
            try await untilTrue { service.log.contains(#""event":"stopping""#) }
        }
    }

    @Test(arguments: [
        ("?id=a%20b", "id"), ("?priority=high", "priority"), ("?timeout_ms=5", "timeout_ms"), ("?id=a&id=b", "id"),
        ("?id=..", "id"),
    ])
    func aBadParameterIsNamed(query: String, name: String) async throws {
        try await ServiceProcess.run { service in
            let answer = try await create(0..<1, in: service, query: query)
            #expect(answer.status == 400)
            #expect((try answer.json()["detail"] as? String)?.contains(name) == true)
        }
    }
}
