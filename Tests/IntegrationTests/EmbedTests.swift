import Foundation
import TestSupport
import Testing

@Suite struct EmbedTests {
    @Test func aRawPictureIsAnsweredWithAFlatObject() async throws {
        try await ServiceProcess.run { service in
            let answer = try await service.post(Pictures.cat, to: "/v1/embed?id=cat.jpg")
            #expect(answer.status == 200)
            #expect(answer.field("content-type") == "application/json")
            let object = try answer.json()
            #expect(
                Set(object.keys) == [
                    "id", "model", "model_fingerprint", "dimensions", "normalized", "embedding", "dominant_color",
                    "image", "sha256",
                ])
            #expect(object["id"] as? String == "cat.jpg")
            #expect(object["model"] as? String == "efficientnet-lite0")
            #expect((object["model_fingerprint"] as? String)?.hasPrefix("sha256:") == true)
            #expect(object["dimensions"] as? Int == 1280)
            #expect(object["normalized"] as? Bool == true)
            let image = try #require(object["image"] as? [String: Any])
            #expect(image["format"] as? String == "jpeg")
            #expect(image["width"] as? Int == 451)
            #expect(image["height"] as? Int == 300)
            #expect(image["orientation"] as? Int == 1)
            let color = try #require(object["dominant_color"] as? String)
            #expect(color.wholeMatch(of: /#[0-9a-f]{6}/) != nil)
            let digest = try await CommandResult.run("sha256sum", [Pictures.cat.path]).text.prefix(64)
            #expect(object["sha256"] as? String == String(digest))

            let vector = try answer.embedding()
            #expect(vector.count == 1280)
            #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)

            // Every answer can be told apart in the log, and says where its time went.
            let requestId = try #require(answer.field("x-request-id"))
            let timing = try #require(answer.field("server-timing"))
            for stage in ["queue", "decode", "infer"] { #expect(timing.contains("\(stage);dur=")) }
            try await untilTrue { service.log.contains(requestId) }
        }
    }

    @Test func theContentTypeDoesNotMatterForARawBody() async throws {
        try await ServiceProcess.run { service in
            let plain = try await service.post(Pictures.cat).embedding()
            for type in ["image/png", "text/plain", "application/json"] {
                let answer = try await service.post(Pictures.cat, ["-H", "Content-Type: \(type)"])
                #expect(try answer.embedding() == plain)
            }
            let chunked = try await service.post(Pictures.cat, ["-H", "Transfer-Encoding: chunked"])
            #expect(try chunked.embedding() == plain)
        }
    }

    @Test func multipartIsAnsweredWithResultsInOrderAndABadPictureDoesNotFailItsNeighbours() async throws {
        try await ServiceProcess.run { service in
            let folder = try TemporaryFolder()
            let text = try folder.write("notes.txt", Data("not a picture".utf8))
            let answer = try await Curl.answer([
                "-F", "a=@\(Pictures.cat.path)", "-F", "b=@\(text.path)",
                "-F", "c=@\(Pictures.named("coffee.png").path)", service.url + "/v1/embed",
            ])
            #expect(answer.status == 200)
            let results = try #require(try answer.json()["results"] as? [[String: Any]])
            #expect(results.map { $0["id"] as? String } == ["cat.jpg", "notes.txt", "coffee.png"])
            #expect(results.map { $0["embedding"] != nil } == [true, false, true])
            let error = try #require(results[1]["error"] as? [String: Any])
            #expect(error["status"] as? Int == 415)
            #expect((error["detail"] as? String)?.contains("text") == true)

            let alone = try await service.post(Pictures.named("coffee.png")).embedding()
            #expect((results[2]["embedding"] as? [NSNumber])?.map(\.doubleValue) == alone)

            let single = try await Curl.answer(["-F", "file=@\(Pictures.cat.path)", service.url + "/v1/embed"])
            #expect((try single.json()["results"] as? [[String: Any]])?.count == 1)
        }
    }

    @Test(arguments: ["png", "webp", "gif"])
    func otherFormatsWorkToo(format: String) async throws {
        let folder = try TemporaryFolder()
        let picture = try await Pictures.make(
            "cat", in: folder, python: "Image.open('\(Pictures.cat.path)').save(path, '\(format)')")
        try await ServiceProcess.run { service in
            let answer = try await service.post(picture)
            #expect(answer.status == 200)
            #expect((try answer.json()["image"] as? [String: Any])?["format"] as? String == format)
            let original = try await service.post(Pictures.cat).embedding()
            // WebP and GIF lose something, but it is still the same cat.
            #expect(cosine(try answer.embedding(), original) > 0.9)
        }
    }

    @Test func theVectorComesAsNumbersAsBase64AndAsBytes() async throws {
        try await ServiceProcess.run { service in
            let numbers = try await service.post(Pictures.cat).embedding()
            let base64 = try await service.post(Pictures.cat, to: "/v1/embed?encoding=base64").json()["embedding"]
            let decoded = try #require((base64 as? String).flatMap { Data(base64Encoded: $0) })
            let bytes = try await service.post(Pictures.cat, ["-H", "Accept: application/octet-stream"])
            #expect(bytes.field("content-type") == "application/octet-stream")
            #expect(bytes.body == decoded)
            let json = try await service.post(
                Pictures.cat, ["-H", "Accept: application/json, application/octet-stream;q=0.1"])
            #expect(json.field("content-type") == "application/json")
            // The JSON numbers are the shortest that give the same float back.
            #expect(floats(decoded).map { Float($0) } == numbers.map { Float($0) })
        }
    }

    /// A few kilobytes of gzip that are a million entries.
    @Test func picturesInJSONAreAnsweredInTheirOrder() async throws {
        let folder = try TemporaryFolder()
        let picture = try Data(contentsOf: Pictures.cat).base64EncodedString()
        let json = try folder.write(
            "body.json",
            Data(#"{"images":[{"id":"a","base64":"\#(picture)"},{"id":"b","base64":"aGVsbG8="},{"id":"c"}]}"#.utf8))
        try await ServiceProcess.run { service in
            let answer = try await service.post(json, to: "/v1/embed", ["-H", "Content-Type: application/json"])
            #expect(answer.status == 200)
            let results = try #require(try answer.json()["results"] as? [[String: Any]])
            #expect(results.map { $0["id"] as? String } == ["a", "b", "c"])
            #expect((results[0]["embedding"] as? [Double])?.count == 1280)
            let errors = results.map { ($0["error"] as? [String: Any])?["status"] as? Int }
            #expect(errors == [nil, 415, 400])
            // One request has one time of reading.
            #expect(try await service.metric("embedd_stage_duration_seconds_count{stage=\"read\"}") == 1)
        }
    }

    @Test func tooManyPicturesInJSONAreRefusedForNextToNothing() async throws {
        let folder = try TemporaryFolder()
        let entries = Array(repeating: "{}", count: 1_000_000).joined(separator: ",")
        let json = try folder.write("body.json", Data((#"{"images":["# + entries + "]}").utf8))
        let result = try await CommandResult.run("gzip", ["--best", json.path])
        try #require(result.exitStatus == 0, "\(result.errorText)")
        // The monitor would need more to name the functions of a stall, should it see one.
        try await ServiceProcess.run(["--pool.monitor", "false"]) { service in
            func peak() throws -> Int {
                let status = try String(contentsOfFile: "/proc/\(service.processIdentifier)/status", encoding: .utf8)
                return try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) })
            }
            #expect(try await service.post(Pictures.cat).status == 200)
            let before = try peak()
            let answer = try await service.post(
                folder.file("body.json.gz"), ["-H", "Content-Type: application/json", "-H", "Content-Encoding: gzip"])
            #expect(answer.status == 413)
            #expect(try answer.json()["type"] as? String == "urn:embedd:problem:too-many-parts")
            // 3 MB of text, and copies of it while it is inflated; decoded, it would be hundreds.
            #expect(try peak() - before < 50_000)
        }
    }

    @Test func theVectorCanBeShortenedAndLeftUnscaled() async throws {
        try await ServiceProcess.run { service in
            let raw = try await service.post(Pictures.cat, to: "/v1/embed?normalize=false")
            #expect(try raw.json()["normalized"] as? Bool == false)
            let rawVector = try raw.embedding()
            #expect(rawVector.reduce(0) { $0 + $1 * $1 } > 1.5)
            let short = try await service.post(Pictures.cat, to: "/v1/embed?dimensions=256")
            #expect(try short.json()["dimensions"] as? Int == 256)
            let shortVector = try short.embedding()
            #expect(abs(shortVector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
            #expect(cosine(shortVector, Array(rawVector.prefix(256))) > 0.999999)
        }
    }

    @Test func orientationIsAppliedBeforeTheModelSeesThePicture() async throws {
        let folder = try TemporaryFolder()
        // Stored on its side, and told to be turned back: the same pixels, so the same vector up to JPEG's loss.
        let turned = try await Pictures.make(
            "turned.jpg", in: folder,
            python: """
                image = Image.open('\(Pictures.cat.path)')
                exif = Image.Exif()
                exif[0x0112] = 6
                image.transpose(Image.Transpose.ROTATE_90).save(path, quality=95, exif=exif)
                """)
        try await ServiceProcess.run(["--decode.mode", "exact"]) { service in
            let answer = try await service.post(turned)
            let image = try #require(try answer.json()["image"] as? [String: Any])
            #expect(image["width"] as? Int == 300)
            #expect(image["height"] as? Int == 451)
            #expect(image["orientation"] as? Int == 6)
            let original = try await service.post(Pictures.cat).embedding()
            #expect(cosine(try answer.embedding(), original) > 0.99)
        }
    }

    @Test func noPictureIsEverUnpackedToADisk() async throws {
        let folder = try TemporaryFolder()
        // 120 MB once decoded, in a form that libvips would unpack to a file in TMPDIR.
        let picture = try await Pictures.make(
            "large.webp", in: folder,
            python: """
                frames = [Image.new('RGB', (6400, 6400), color) for color in ('red', 'blue')]
                frames[0].save(path, save_all=True, append_images=frames[1:], quality=1, method=0)
                """)
        let nowhere = ["TMPDIR": folder.file("there-is-no-such-folder").path]
        try await ServiceProcess.run(environment: nowhere) { service in
            let answer = try await service.post(picture)
            #expect(answer.status == 200, "\(answer.text.prefix(300))")
        }
    }
}
