import Foundation
import TestSupport
import Testing

/// Compression, Unix-domain sockets, socket activation and CORS, as curl and the system use them.
@Suite struct TransportTests {
    @Test func curlReadsCompressedAnswers() async throws {
        try await ServiceProcess.run { service in
            let compressed = try await Curl.answer(["--compressed", service.url + "/metrics"])
            #expect(compressed.field("content-encoding") == "gzip")
            #expect(compressed.field("vary") == "Accept-Encoding")
            #expect(compressed.text.hasPrefix("# HELP "))
            #expect(Int(compressed.field("content-length") ?? "") ?? .max < compressed.body.count / 4)
            let plain = try await service.get("/metrics")
            #expect(plain.field("content-encoding") == nil)
            let vector = try await service.post(Pictures.cat, ["--compressed"])
            #expect(vector.field("content-encoding") == "gzip")
            #expect(try vector.json()["dimensions"] as? Int == 1280)
            let bytes = ["--compressed", "-H", "Accept: application/octet-stream"]
            #expect(try await service.post(Pictures.cat, bytes).field("content-encoding") == nil)
        }
        try await ServiceProcess.run(["--server.compression", "false"]) { service in
            let plain = try await Curl.answer(["--compressed", service.url + "/metrics"])
            #expect(plain.field("content-encoding") == nil)
        }
    }

    @Test func aCompressedUploadGivesTheSameAnswer() async throws {
        let folder = try TemporaryFolder()
        let gzip = try await CommandResult.run("gzip", ["-c", Pictures.cat.path])
        let upload = try folder.write("cat.jpg.gz", gzip.output)
        let bomb = try await CommandResult.run("sh", ["-c", "head -c 40M /dev/zero | gzip -c"])
        let bombFile = try folder.write("bomb.gz", bomb.output)
        try await ServiceProcess.run { service in
            let plain = try await service.post(Pictures.cat).json()
            let coded = try await service.post(upload, ["-H", "Content-Encoding: gzip"])
            #expect(coded.status == 200)
            #expect(try coded.json()["sha256"] as? String == plain["sha256"] as? String)
            #expect(try await service.post(bombFile, ["-H", "Content-Encoding: gzip"]).status == 413)
            let damaged = try await service.post(Pictures.cat, ["-H", "Content-Encoding: gzip"])
            #expect(damaged.status == 400)
            #expect(try damaged.json()["type"] as? String == "urn:embedd:problem:corrupt-gzip")
            let unknown = try await service.post(upload, ["-H", "Content-Encoding: br"])
            #expect(unknown.status == 415)
            #expect(unknown.field("accept-encoding") == "gzip")
        }
    }

    @Test func aUnixSocketServesAndIsRemoved() async throws {
        let path = "/tmp/embedd-\(UUID().uuidString.prefix(8)).sock"
        let flags = ["--server.unix_socket", path]
        try await ServiceProcess.run(flags) { service in
            // A service whose machine has just stood still may not be ready for a moment.
            try await untilTrue {
                try await Curl.answer(["--unix-socket", path, "http://localhost/readyz"]).text == "ok\n"
            }
            try await untilTrue {
                try await CommandResult.run(serviceBinary.path, ["health"] + flags).exitStatus == 0
            }
            let ready = try #require(try service.events().first { $0["event"] as? String == "ready" })
            #expect(ready["address"] as? String == "unix:\(path)")
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        let health = try await CommandResult.run(serviceBinary.path, ["health"] + flags)
        #expect(health.exitStatus == 1)
        #expect(health.errorText.contains("unix:\(path): connect: No such file or directory"))
    }

    @Test func theServiceAndItsHealthCheckSpeakIPv6() async throws {
        try await ServiceProcess.run(["--server.host", "::"]) { service in
            try await untilTrue {
                try await Curl.answer(["--globoff", "http://[::1]:\(service.port)/readyz"]).text == "ok\n"
            }
            let flags = ["health", "--server.host", "::", "--server.port", "\(service.port)"]
            try await untilTrue { try await CommandResult.run(serviceBinary.path, flags).exitStatus == 0 }
        }
    }

    @Test func aSocketThatWasHandedOverIsServed() async throws {
        // What systemd does for a socket unit: listen, put the socket at 3, tell the process's own id.
        let launcher = """
            import os, socket, sys
            listener = socket.socket()
            listener.bind(("127.0.0.1", 0))
            listener.listen(16)
            os.dup2(listener.fileno(), 3)
            os.set_inheritable(3, True)
            os.environ["LISTEN_PID"] = str(os.getpid())
            os.environ["LISTEN_FDS"] = "1"
            os.execv(sys.argv[1], sys.argv[1:])
            """
        try await ServiceProcess.run(launcher: ["python3", "-c", launcher]) { service in
            #expect(service.port != 0)
            try await untilTrue { try await service.get("/readyz").text == "ok\n" }
        }
    }

    @Test func aPreflightIsAnswered() async throws {
        let site = "https://photos.example.org"
        try await ServiceProcess.run(["--server.cors_origins", site]) { service in
            let preflight = try await Curl.answer([
                "-X", "OPTIONS", "-H", "Origin: \(site)", "-H", "Access-Control-Request-Method: POST", "-H",
                "Access-Control-Request-Headers: content-type", service.url + "/v1/embed",
            ])
            #expect(preflight.status == 204)
            #expect(preflight.field("access-control-allow-origin") == site)
            #expect(preflight.field("access-control-allow-methods")?.contains("POST") == true)
            #expect(preflight.field("access-control-allow-headers") == "content-type")
            let answer = try await service.post(Pictures.cat, ["-H", "Origin: \(site)"])
            #expect(answer.status == 200)
            #expect(answer.field("access-control-allow-origin") == site)
            #expect(answer.field("access-control-expose-headers") == "X-Request-Id, Server-Timing")
            let refused = try await service.post(Pictures.cat, to: "/nowhere", ["-H", "Origin: https://other.org"])
            #expect(refused.status == 404)
            #expect(refused.field("access-control-allow-origin") == nil)
        }
    }

    @Test func twoServicesShareAPort() async throws {
        try await ServiceProcess.run(["--server.reuse_port", "true"]) { first in
            let flags = ["--server.reuse_port", "true", "--server.port", "\(first.port)"]
            try await ServiceProcess.run(flags) { second in
                #expect(second.port == first.port)
                for _ in 0..<8 {
                    let answer = try await second.get("/livez")
                    #expect(answer.status == 200)
                }
            }
        }
    }
}
