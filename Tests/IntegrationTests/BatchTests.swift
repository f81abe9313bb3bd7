import Foundation
import TestSupport
import Testing

@Suite struct BatchTests {
    private struct Line {
        let object: [String: Any]

        var index: Int? { object["index"] as? Int }
        var id: String? { object["id"] as? String }
        var vector: [Double]? { object["embedding"] as? [Double] }
        var problem: String? { (object["error"] as? [String: Any])?["type"] as? String }
    }

    private func lines(_ text: some StringProtocol) throws -> [Line] {
        try text.split(separator: "\n").map { line in
            Line(object: try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]))
        }
    }

    private func entry(_ number: Int) throws -> String {
        let picture = try Data(contentsOf: Pictures.cat) + Data("\(number)".utf8)
        return #"{"id":"\#(number)","base64":"\#(picture.base64EncodedString())"}"# + "\n"
    }

    private func post(_ body: String, to service: ServiceProcess, query: String = "") async throws -> Answer {
        let folder = try TemporaryFolder()
        let file = try folder.write("batch.ndjson", Data(body.utf8))
        return try await service.post(
            file, to: "/v1/batch" + query, ["-H", "Content-Type: application/x-ndjson"])
    }

    @Test func eachLineIsAnsweredAndTheLastCounts() async throws {
        try await ServiceProcess.run { service in
            let answer = try await post((0..<30).map(entry).joined(), to: service)
            #expect(answer.status == 200)
            #expect(answer.field("content-type") == "application/x-ndjson")
            let lines = try lines(answer.text)
            #expect(lines.dropLast().compactMap(\.index).sorted() == Array(0..<30))
            #expect(lines.dropLast().allSatisfy { $0.id == "\($0.index ?? -1)" && $0.vector?.count == 1280 })
            let last = try #require(lines.last?.object)
            #expect(last["done"] as? Bool == true)
            #expect(last["total"] as? Int == 30)
            #expect(last["ok"] as? Int == 30)
            #expect(last["failed"] as? Int == 0)
            try await service.wait(for: "embedd_batches_open", toBe: 0)
        }
    }

    @Test func theFiveHundredthPartMayBeBroken() async throws {
        try await ServiceProcess.run { service in
            let picture = try Data(contentsOf: Pictures.cat)
            var body = Data()
            for number in 1...510 {
                body += Data("--b\r\nContent-Disposition: form-data; name=f; filename=\(number)\r\n\r\n".utf8)
                // The same picture but for the broken one: 509 of them are found in the cache or wait for each other.
                body += (number == 500 ? picture.prefix(9_000) : picture) + Data("\r\n".utf8)
            }
            body += Data("--b--\r\n".utf8)
            let folder = try TemporaryFolder()
            let answer = try await service.post(
                try folder.write("body", body), to: "/v1/batch",
                ["-H", "Content-Type: multipart/form-data; boundary=b"])
            let lines = try lines(answer.text)
            #expect(lines.count == 511)
            let broken = lines.filter { $0.problem != nil }
            #expect(broken.map(\.id) == ["500"])
            #expect(broken.first?.problem == "urn:embedd:problem:broken-image")
            #expect(lines.last?.object["ok"] as? Int == 509)
        }
    }

    @Test func whatIsNoEntryIsALinesOwnErrorAndABodyThatBreaksOffIsToldLast() async throws {
        try await ServiceProcess.run { service in
            let good = try entry(1)
            let answer = try await post("nonsense\n\n" + good + #"{"url":"http://x/"}"# + "\n" + good, to: service)
            let lines = try lines(answer.text)
            #expect(lines.count == 5)
            #expect(lines.first { $0.index == 0 }?.problem == "urn:embedd:problem:bad-json")
            #expect(lines.first { $0.index == 2 }?.problem == "urn:embedd:problem:urls-not-read")
            #expect(lines.last?.object["failed"] as? Int == 2)

            let folder = try TemporaryFolder()
            let cut = Data("--b\r\nContent-Disposition: form-data; name=f\r\n\r\ntext\r\n--b\r\nContent-Dis".utf8)
            let broken = try await service.post(
                try folder.write("body", cut), to: "/v1/batch", ["-H", "Content-Type: multipart/form-data; boundary=b"])
            let last = try #require(try self.lines(broken.text).last)
            #expect(last.object["done"] as? Bool == false)
            #expect(last.object["total"] as? Int == 1)
            #expect(last.problem == "urn:embedd:problem:malformed-multipart")
        }
    }

    @Test func resultsComeWhileTheClientStillSends() async throws {
        try await ServiceProcess.run { service in
            let client = try RawConnection(port: service.port)
            try client.send(
                Data(
                    "POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .utf8))
            var received = ""
            for number in 0..<3 {
                let line = try entry(number)
                try client.send(Data("\(String(line.utf8.count, radix: 16))\r\n\(line)\r\n".utf8))
                // Nothing but this line was sent, and its answer comes.
                while !received.contains("\"index\":\(number),") || !received.hasSuffix("\r\n") {
                    received += String(decoding: try await client.receive(), as: UTF8.self)
                }
            }
            try client.send(Data("0\r\n\r\n".utf8))
            while !received.hasSuffix("0\r\n\r\n") {
                received += String(decoding: try await client.receive(), as: UTF8.self)
            }
            #expect(received.contains(#""done":true,"total":3,"ok":3"#))
        }
    }

    @Test func aClientThatLeavesEndsItsBatch() async throws {
        try await ServiceProcess.run(["--decode.mode", "exact", "--decode.threads", "1"]) { service in
            do {
                let client = try RawConnection(port: service.port)
                try client.send(
                    Data(
                        "POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nContent-Length: 10000000\r\n\r\n"
                            .utf8))
                try client.send(Data((0..<20).map(entry).joined().utf8))
                try await service.wait(for: "embedd_batches_open", toBe: 1)
            }
            try await service.wait(for: "embedd_batches_open", toBe: 0)
            try await service.wait(for: "embedd_images_in_flight", toBe: 0)
            try await service.wait(for: "embedd_flights", toBe: 0)
            let ended = try await service.cancellations()
            #expect(!ended.isEmpty && ended.keys.allSatisfy { $0.hasSuffix(",client_gone") })
            #expect(try await service.post(Pictures.cat).status == 200)
        }
    }

    @Test func asManyAsMayBeAreOpenAndTheNextIsToldToWait() async throws {
        try await ServiceProcess.run(["--batch.streams", "1"]) { service in
            let client = try RawConnection(port: service.port)
            try client.send(
                Data(
                    "POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nContent-Length: 100000\r\n\r\n"
                        .utf8))
            // Whoever has sent something may be silent for longer.
            try client.send(Data(try entry(0).utf8))
            try await service.wait(for: "embedd_batches_open", toBe: 1)
            let refused = try await post(entry(1), to: service)
            #expect(refused.status == 503)
            #expect(refused.field("retry-after") != nil)
        }
    }

    @Test(arguments: [
        ("", "application/x-ndjson", 400, "empty-body"), ("\n\n", "application/x-ndjson", 400, "empty-body"),
        ("x", "text/plain", 415, "unsupported-media-type"), ("x", "multipart/form-data", 400, "malformed-multipart"),
    ])
    func aBatchWithoutPicturesIsRefusedBeforeTheAnswerBegins(
        body: String, type: String, status: Int, slug: String
    ) async throws {
        try await ServiceProcess.run { service in
            let folder = try TemporaryFolder()
            let answer = try await service.post(
                try folder.write("body", Data(body.utf8)), to: "/v1/batch", ["-H", "Content-Type: \(type)"])
            #expect(answer.status == status)
            #expect(try answer.json()["type"] as? String == "urn:embedd:problem:\(slug)")
        }
    }
}
