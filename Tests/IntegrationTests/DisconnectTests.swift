import Foundation
import Testing

/// The first promise: work stops when nobody waits for it.
@Suite struct DisconnectTests {
    /// One decode thread and exact mode, so that one photograph keeps the service busy for a while.
    private let slow = ["--decode.mode", "exact", "--decode.threads", "1", "--inference.streams", "1"]

    private func request(_ picture: URL) throws -> Data {
        let body = try Data(contentsOf: picture)
        return Data("POST /v1/embed HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    @Test(arguments: [false, true])
    func clientsThatLeaveTakeTheirDecodingAndWaitingImagesWithThem(withReset: Bool) async throws {
        let photograph = try #require(try Pictures.photographs().first { $0.lastPathComponent == "nuthatch.jpg" })
        let request = try request(photograph)
        try await ServiceProcess.run(slow) { service in
            try await withDiscardingClients(24, of: service, sending: request, withReset: withReset) {
                // Many of them wait behind the few that are at work.
                try await untilTrue { try await service.metric("embedd_images_queued") ?? 0 >= 8 }
            }
            try await service.wait(for: "embedd_images_in_flight", toBe: 0)
            try await service.wait(for: "http_server_requests_in_flight{route=\"embed\"}", toBe: 0)
            let cancelled = try await service.metric(
                "embedd_images_total{format=\"jpeg\",outcome=\"cancelled\"}")
            let finished = try await service.metric("embedd_images_total{format=\"jpeg\",outcome=\"ok\"}")
            // Fewer, if somebody left before the last byte of the upload was read.
            #expect((cancelled ?? 0) + (finished ?? 0) <= 24)
            // The first may have been through before the clients left, not those that waited behind them.
            #expect((cancelled ?? 0) >= 4)
            #expect(try await service.post(Pictures.cat).status == 200)
        }
    }

    @Test func aClientThatLeavesInTheMiddleOfItsUploadIsForgotten() async throws {
        let request = try request(Pictures.cat)
        try await ServiceProcess.run(slow) { service in
            try await withDiscardingClients(4, of: service, sending: request.dropLast(1000), withReset: false) {
                try await service.wait(for: "http_server_requests_in_flight{route=\"embed\"}", toBe: 4)
            }
            try await service.wait(for: "http_server_requests_in_flight{route=\"embed\"}", toBe: 0)
            #expect(try await service.metric("embedd_images_in_flight") == 0)
            #expect(try await service.post(Pictures.cat).status == 200)
        }
    }

    /// Opens connections that all send `data`, and drops them when `body` is done.
    private func withDiscardingClients(
        _ count: Int, of service: ServiceProcess, sending data: Data, withReset: Bool, _ body: () async throws -> Void
    ) async throws {
        let clients = try (0..<count).map { _ in try RawConnection(port: service.port) }
        for client in clients {
            if withReset { client.resetOnClose() }
            try client.send(data)
        }
        try await body()
        withExtendedLifetime(clients) {}
    }
}
