import CLinux
import Glibc
import HTTPWire
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(2))) struct UnixSocketTests {
    /// A path of its own in the temporary folder, short enough for `sun_path`.
    private static func path() -> String {
        "/tmp/http-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    @Test func answersOnAUnixSocketAndRemovesItsFile() async throws {
        let path = Self.path()
        try await withServer([hello, echo], addresses: ["unix:\(path)"]) { test in
            #expect(test.addresses == [.unix(path: path)])
            let status = try #require(Self.status(path))
            #expect(status.st_mode & S_IFMT == S_IFSOCK)
            #expect(status.st_mode & 0o777 == 0o660)
            let client = try test.client()
            try await client.send(
                request("POST", "/echo", "Content-Length: 5", body: "Hello") + request("GET", "/hello"))
            #expect(try await client.receiveResponse().text == "Hello")
            #expect(try await client.receiveResponse().text == "hello")
            #expect(await test.recorder.nextRecord()?.remoteAddress.description == "unix")
            try await client.close()
        }
        #expect(Self.status(path) == nil)
    }

    @Test func theModeIsExactlyWhatWasAskedFor() async throws {
        let path = Self.path()
        try await withServer([hello], addresses: ["unix:\(path)"], configure: { $0.unixSocketMode = 0o606 }) { _ in
            #expect(Self.status(path)?.st_mode == S_IFSOCK | 0o606)
        }
    }

    @Test func replacesAStaleSocketFile() async throws {
        let path = Self.path()
        // Bound, closed and not removed: what a killed server leaves behind.
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        _ = try UnixSocketFile(binding: descriptor, to: path, mode: 0o600)
        close(descriptor)
        #expect(Self.status(path) != nil)
        try await withServer([hello], addresses: ["unix:\(path)"]) { test in
            let response = try await test.exchange(request("GET", "/hello"))
            #expect(response.text == "hello")
        }
    }

    @Test func leavesAServerThatListensAlone() async throws {
        let path = Self.path()
        try await withServer([hello], addresses: ["unix:\(path)"]) { test in
            let second = HTTPServer(
                configuration: ServerConfiguration(addresses: test.addresses), router: try Router([hello]))
            let error = await #expect(throws: ListenError.self) { _ = try await second.start() }
            #expect(error?.description == "can't listen on unix:\(path): bind: Address already in use")
            let response = try await test.exchange(request("GET", "/hello"))
            #expect(response.text == "hello")
        }
    }

    @Test func leavesOtherFilesAlone() async throws {
        let path = Self.path()
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        defer { unlink(path) }
        let server = HTTPServer(
            configuration: ServerConfiguration(addresses: [.unix(path: path)]), router: try Router([hello]))
        await #expect(throws: ListenError.self) { _ = try await server.start() }
        #expect(Self.status(path).map { $0.st_mode & S_IFMT } == S_IFREG)
    }

    @Test func aFileThatTookItsPlaceIsNotRemoved() async throws {
        let path = Self.path()
        defer { unlink(path) }
        try await withServer([hello], addresses: ["unix:\(path)"]) { _ in
            unlink(path)
            close(open(path, O_CREAT | O_WRONLY, 0o600))
        }
        #expect(Self.status(path) != nil)
    }

    @Test(arguments: [
        ("", "Invalid argument"), ("/tmp/" + String(repeating: "a", count: 103), "File name too long"),
    ])
    func refusesAPathThatDoesNotFit(path: String, reason: String) async throws {
        let server = HTTPServer(
            configuration: ServerConfiguration(addresses: [.unix(path: path)]), router: try Router([hello]))
        let error = await #expect(throws: ListenError.self) { _ = try await server.start() }
        #expect(error?.reason == reason)
    }

    @Test func aClientThatLeavesIsNoticedThereToo() async throws {
        let begun = Signal()
        let cancelled = Signal()
        let route = Route(.get, "/", name: "wait") { _ in
            await withTaskCancellationHandler {
                begun.send()
                await Signal().wait()
            } onCancel: {
                cancelled.send()
            }
            throw CancellationError()
        }
        try await withServer([route], addresses: ["unix:\(Self.path())"]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/"))
            await begun.wait()
            try await client.close()
            await cancelled.wait()
            #expect(await test.recorder.nextRecord()?.outcome == .clientGone)
        }
    }
}
