import Foundation
import TestSupport
import Testing

/// What people upload that can't be embedded: each gets its documented answer, and the next request is served.
@Suite struct BadInputTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let body: @Sendable (TemporaryFolder) async throws -> URL
        let status: Int
        let type: String
        /// What the detail must name, so that the client knows what to do.
        let says: String
        var testDescription: String { name }
    }

    private static func bytes(_ text: String) -> @Sendable (TemporaryFolder) async throws -> URL {
        { try $0.write("body", Data(text.utf8)) }
    }

    /// A PNG that announces 60,000 x 60,000 pixels: signature, IHDR with its right CRC, and no data.
    private static let hugePNG: @Sendable (TemporaryFolder) async throws -> URL = { folder in
        try await Pictures.make(
            "huge.png", in: folder,
            python: """
                import struct, zlib
                def chunk(kind, data):
                    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
                header = struct.pack('>IIBBBBB', 60000, 60000, 8, 2, 0, 0, 0)
                open(path, 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', header) + chunk(b'IDAT', b'') + chunk(b'IEND', b''))
                """)
    }

    static let cases: [Case] = [
        Case(name: "empty body", body: bytes(""), status: 400, type: "empty-body", says: "empty"),
        Case(name: "text", body: bytes("hello"), status: 415, type: "unsupported-format", says: "text"),
        Case(
            name: "HTML", body: bytes("<!DOCTYPE html><html><body>no</body></html>"), status: 415,
            type: "unsupported-format", says: "html"),
        Case(
            name: "a zip named .jpg",
            body: { folder in
                try await Pictures.make(
                    "archive.jpg", in: folder,
                    python: "import zipfile; zipfile.ZipFile(path, 'w').writestr('a.txt', 'text')")
            }, status: 415, type: "unsupported-format", says: "zip"),
        Case(
            name: "a TIFF, which is not enabled",
            body: { folder in
                try await Pictures.make("a.tif", in: folder, python: "Image.new('RGB', (8, 8)).save(path, 'tiff')")
            }, status: 415, type: "unsupported-format", says: "tiff"),
        Case(
            name: "a truncated JPEG",
            body: { folder in
                try folder.write("half.jpg", try Data(contentsOf: Pictures.cat).prefix(15_000))
            }, status: 422, type: "broken-image", says: "row"),
        Case(
            name: "a truncated PNG",
            body: { folder in
                try folder.write("half.png", try Data(contentsOf: Pictures.named("coffee.png")).prefix(200_000))
            }, status: 422, type: "broken-image", says: "png"),
        Case(
            name: "a JPEG that is only its first bytes",
            body: { folder in
                try folder.write("start.jpg", try Data(contentsOf: Pictures.cat).prefix(20))
            }, status: 422, type: "broken-image", says: "jpeg"),
        Case(
            name: "a picture of one pixel",
            body: { folder in
                try await Pictures.make("pixel.gif", in: folder, python: "Image.new('RGB', (1, 1)).save(path)")
            }, status: 422, type: "image-too-small", says: "1 x 1"),
        Case(
            name: "a PNG header of 60,000 x 60,000", body: hugePNG, status: 413, type: "image-too-large",
            says: "60000"),
    ]

    @Test(arguments: cases)
    func isAnsweredAsDocumentedAndTheNextRequestIsServed(_ bad: Case) async throws {
        let folder = try TemporaryFolder()
        let body = try await bad.body(folder)
        try await ServiceProcess.run { service in
            // Both requests on one connection, if the service keeps it open.
            let result = try await CommandResult.run(
                "curl",
                [
                    "--silent", "--show-error", "--output", folder.file("first").path, "--write-out",
                    "%{http_code} %{content_type}\n", "--data-binary", "@\(body.path)", service.url + "/v1/embed",
                    "--next", "--silent", "--output", folder.file("second").path, "--write-out", "%{http_code}\n",
                    "--data-binary", "@\(Pictures.cat.path)", service.url + "/v1/embed",
                ])
            #expect(result.exitStatus == 0, "\(result.errorText)")
            #expect(result.text == "\(bad.status) application/problem+json\n200\n")
            let problem = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: folder.file("first"))) as? [String: Any])
            #expect((problem["type"] as? String)?.hasSuffix(bad.type) == true, "\(problem)")
            #expect(problem["status"] as? Int == bad.status)
            let detail = try #require(problem["detail"] as? String)
            #expect(detail.contains(bad.says), "\(detail)")
            #expect(!(try #require(problem["title"] as? String)).isEmpty)
            try await service.wait(for: "embedd_images_in_flight", toBe: 0)
        }
    }

    @Test func aPictureOfOnePixelIsAPictureWhereThatIsAllowed() async throws {
        let folder = try TemporaryFolder()
        let picture = try await Pictures.make(
            "pixel.png", in: folder, python: "Image.new('RGB', (1, 1), (255, 0, 0)).save(path)")
        try await ServiceProcess.run(["--decode.minimum_side", "1"]) { service in
            let answer = try await service.post(picture)
            #expect(answer.status == 200)
            #expect(try answer.json()["dominant_color"] as? String == "#ff0000")
            #expect(try answer.embedding().count == 1280)
        }
    }

    @Test func nothingIsLeftOverAfterHundredsOfBadBodies() async throws {
        let folder = try TemporaryFolder()
        let half = try folder.write("half.jpg", try Data(contentsOf: Pictures.cat).prefix(15_000))
        let huge = try await Self.hugePNG(folder)
        let text = try folder.write("text", Data("hello".utf8))
        try await ServiceProcess.run { service in
            // The first ones start threads and open what stays open.
            for body in [half, huge, text] { _ = try await service.post(body) }
            let before = try service.openDescriptors()
            let requests = [half, huge, text].flatMap { body in
                ["--silent", "--data-binary", "@\(body.path)", service.url + "/v1/embed", "--next"]
            }
            let command = Array(repeating: requests, count: 100).flatMap(\.self).dropLast()
            let result = try await CommandResult.run("curl", Array(command))
            #expect(result.exitStatus == 0)
            #expect(try await service.metric("embedd_images_in_flight") == 0)
            #expect(try await service.metric("http_server_requests_in_flight{route=\"embed\"}") == 0)
            // Fewer where the connection of the first ones was still being closed.
            try await untilTrue { try service.openDescriptors() <= before }
        }
    }

    @Test func thirtyThreeMebibytesAreRefusedBeforeTheyAreSent() async throws {
        let folder = try TemporaryFolder()
        let body = try folder.write("large", Data(count: 33 << 20))
        try await ServiceProcess.run { service in
            let result = try await CommandResult.run(
                "curl",
                [
                    "--silent", "--output", folder.file("answer").path, "--write-out", "%{http_code} %{size_upload}",
                    "--expect100-timeout", "60", "--data-binary", "@\(body.path)", service.url + "/v1/embed",
                ])
            // curl waits for 100 Continue with a body of this size, so it learns of the 413 before it sends any of it.
            #expect(result.text == "413 0")
            let problem = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: folder.file("answer"))) as? [String: Any])
            #expect((problem["type"] as? String)?.hasSuffix("body-too-large") == true)
            #expect(try await service.post(Pictures.cat).status == 200)
        }
    }

    @Test(arguments: [
        ("timeout_ms=0", "timeout_ms"), ("timeout_ms=-5", "timeout_ms"), ("timeout_ms=soon", "timeout_ms"),
        ("normalize=yes", "normalize"), ("encoding=hex", "encoding"), ("dimensions=0", "dimensions"),
        ("dimensions=1281", "1280"), ("normalise=false", "normalise"), ("encoding=float&encoding=base64", "encoding"),
    ])
    func aBadParameterIsNamed(query: String, says: String) async throws {
        try await ServiceProcess.run { service in
            let answer = try await service.post(Pictures.cat, to: "/v1/embed?\(query)")
            #expect(answer.status == 400)
            #expect((try answer.json()["detail"] as? String)?.contains(says) == true, "\(answer.text)")
        }
    }

    @Test func anUnknownModelIsNamedWithThoseThatAreServed() async throws {
        try await ServiceProcess.run { service in
            let answer = try await service.post(Pictures.cat, to: "/v1/embed?model=clip")
            #expect(answer.status == 404)
            #expect((try answer.json()["detail"] as? String)?.contains("efficientnet-lite0") == true)
        }
    }

    @Test(arguments: ["--no-boundary", "cut", "no-file"])
    func aBrokenMultipartBodyIsABadRequest(kind: String) async throws {
        let folder = try TemporaryFolder()
        let part = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.jpg\"\r\n\r\n"
        let (type, text) =
            switch kind {
            case "--no-boundary": ("multipart/form-data", part + "x\r\n--b--\r\n")
            case "cut": ("multipart/form-data; boundary=b", part + "x")
            default: ("multipart/form-data; boundary=b", "--b--\r\n")
            }
        let body = try folder.write("body", Data(text.utf8))
        try await ServiceProcess.run { service in
            let answer = try await service.post(body, ["-H", "Content-Type: \(type)"])
            #expect(answer.status == 400)
            #expect(answer.field("content-type") == "application/problem+json")
            #expect(try await service.post(Pictures.cat).status == 200)
        }
    }
}
