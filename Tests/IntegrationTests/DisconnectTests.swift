import Foundation
import TestSupport
import Testing

/// The first promise: work stops when nobody waits for it.
@Suite struct DisconnectTests {
    /// One decode thread and exact mode, so that one photograph keeps the service busy for a while.
    private let slow = ["--decode.mode", "exact", "--decode.threads", "1", "--inference.streams", "1"]

    /// A request that posts a picture, as another file for each number, so that none waits for another's work.
    private func request(_ picture: URL, _ number: Int = 0) throws -> Data {
        let body = try Data(contentsOf: picture) + Data("\(number)".utf8)
        return Data("POST /v1/embed HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    @Test(arguments: [false, true])
    func clientsThatLeaveTakeTheirDecodingAndWaitingImagesWithThem(withReset: Bool) async throws {
        let photograph = try #require(try Pictures.photographs().first { $0.lastPathComponent == "nuthatch.jpg" })
        try await ServiceProcess.run(slow) { service in
            // Many of them wait behind the few that are at work.
            let count = try await leave(service, photograph, withReset: withReset, whenWaiting: 8)
            try await service.wait(for: "embedd_images_in_flight", toBe: 0)
            try await service.wait(for: "http_server_requests_in_flight{route=\"embed\"}", toBe: 0)
            func images(_ outcome: String) async throws -> Double {
                try await service.metric("embedd_images_total{format=\"jpeg\",outcome=\"\(outcome)\"}") ?? 0
            }
            // The first may have been through before the clients left, not those that waited behind them.
            try await untilTrue { try await images("cancelled") >= 4 }
            // Fewer, if somebody left before the last byte of the upload was read.
            #expect(try await images("cancelled") + images("ok") <= Double(count))
            // All of them for the one reason. Who left while the body was read has no image, so it isn't among them.
            try await service.wait(for: "embedd_flights", toBe: 0)
            let reasons = try await service.cancellations()
            #expect(reasons.keys.allSatisfy { $0.hasSuffix(",client_gone") })
            let uncounted =
                try await images("cancelled")
                - reasons.filter { !$0.key.hasPrefix("read,") }.values.reduce(0, +)
            // One may have been done in the moment in which its client left.
            #expect([0, 1].contains(uncounted), "\(uncounted)")
            #expect(try await service.post(Pictures.cat).status == 200)
        }
    }

    /// Has clients post a picture each, and leave when so many images wait. On a slow machine these may have been
    /// worked off before that is seen: then more clients come.
    ///
    /// - Returns: How many clients there have been in all.
    private func leave(
        _ service: ServiceProcess, _ picture: URL, withReset: Bool, whenWaiting waiting: Double
    ) async throws -> Int {
        var made = 0
        for clients in [24, 72, 216] {
            let requests = try (made..<made + clients).map { try request(picture, $0) }
            made += clients
            var areWaiting = false
            try await withDiscardingClients(of: service, sending: requests, withReset: withReset) {
                try await untilTrue {
                    areWaiting = try await service.metric("embedd_images_queued") ?? 0 >= waiting
                    if areWaiting { return true }
                    let done = try await service.metric("embedd_images_total{format=\"jpeg\",outcome=\"ok\"}") ?? 0
                    return done == Double(made)
                }
            }
            if areWaiting { return made }
        }
        Issue.record("\(waiting) images were never seen waiting")
        return made
    }

    @Test func aClientThatLeavesInTheMiddleOfItsUploadIsForgotten() async throws {
        let request = try request(Pictures.cat).dropLast(1000)
        try await ServiceProcess.run(slow) { service in
            try await withDiscardingClients(
                of: service, sending: Array(repeating: request, count: 4), withReset: false
            ) {
                try await service.wait(for: "http_server_requests_in_flight{route=\"embed\"}", toBe: 4)
            }
            try await service.wait(for: "http_server_requests_in_flight{route=\"embed\"}", toBe: 0)
            #expect(try await service.metric("embedd_images_in_flight") == 0)
            try await untilTrue { try await service.cancellations() == ["read,client_gone": 4] }
            #expect(try await service.post(Pictures.cat).status == 200)
        }
    }

    @Test func whatADeadlineEndsIsCountedSo() async throws {
        let photograph = try #require(try Pictures.photographs().first { $0.lastPathComponent == "nuthatch.jpg" })
        try await ServiceProcess.run(slow) { service in
            // The shortest is over within the work on a fast machine; on a slow one, perhaps before its beginning.
            for milliseconds in [25, 50, 100, 200, 400, 800, 1_600] {
                let answer = try await service.post(photograph, to: "/v1/embed?timeout_ms=\(milliseconds)")
                #expect(answer.status == 504)
                // What was given up is counted when all of it is free.
                try await service.wait(for: "embedd_flights", toBe: 0)
                if try await service.cancellations().contains(where: { !$0.key.hasPrefix("read,") }) { break }
            }
            let ended = try await service.cancellations()
            #expect(ended.keys.allSatisfy { $0.hasSuffix(",deadline") })
            // Of the picture's work, and not only of its reading.
            #expect(ended.keys.contains { !$0.hasPrefix("read,") }, "\(ended)")
        }
    }

    @Test func whatADeadlineEndsInTheMiddleOfItsUploadIsCountedSo() async throws {
        let body = try Data(contentsOf: Pictures.cat)
        let head = "POST /v1/embed?timeout_ms=500 HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n"
        try await ServiceProcess.run(slow) { service in
            let client = try RawConnection(port: service.port)
            try client.send(Data(head.utf8) + body.dropLast(1_000))
            let answer = String(decoding: try await client.receive(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 504 "), "\(answer)")
            try await untilTrue { try await service.cancellations() == ["read,deadline": 1] }
        }
    }

    @Test func allGaugesAreBackAtZeroWhenNothingRuns() async throws {
        let photograph = try #require(try Pictures.photographs().first)
        try await ServiceProcess.run(slow) { service in
            _ = try await leave(service, photograph, withReset: true, whenWaiting: 3)
            #expect(try await service.post(Pictures.cat).status == 200)
            for gauge in [
                "embedd_images_in_flight", "embedd_images_queued", "embedd_queue_bytes", "embedd_decode_memory_bytes",
                "embedd_flights", "embedd_decode_running", "embedd_batches_open", "embedd_job_uploads_open",
                "embedd_jobs_bytes",
                "embedd_queue_wait_estimate_seconds", "http_server_requests_in_flight{route=\"embed\"}",
            ] {
                try await service.wait(for: gauge, toBe: 0)
            }
        }
    }

    /// Opens a connection for each request and sends it, and drops them when `body` is done.
    private func withDiscardingClients(
        of service: ServiceProcess, sending requests: [Data], withReset: Bool, _ body: () async throws -> Void
    ) async throws {
        let clients = try requests.map { _ in try RawConnection(port: service.port) }
        for (client, data) in zip(clients, requests) {
            if withReset { client.resetOnClose() }
            try client.send(data)
        }
        try await body()
        withExtendedLifetime(clients) {}
    }
}
