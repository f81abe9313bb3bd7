import HTTPServer
import HTTPWire
import TestSupport
import Testing
import Threads

@Suite(.timeLimit(.minutes(2))) struct WrittenResponseTests {
    private struct Broken: Error {}

    private func route(_ content: @escaping @Sendable (ResponseWriter) async throws -> Void) -> Route {
        Route(.get, "/write", name: "write") { _ in Response(status: .ok, body: .written(content)) }
    }

    @Test func whatIsWrittenArrivesPieceByPiece() async throws {
        let route = route { writer in
            for piece in ["one", "", "two"] { try await writer.write(Array(piece.utf8)) }
        }
        try await withServer([route]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/write"))
            #expect(try await client.receiveResponse().text == "onetwo")
            // The connection is good for another request.
            try await client.send(request("GET", "/write"))
            #expect(try await client.receiveResponse().text == "onetwo")
        }
    }

    @Test func piecesOfSeveralTasksStayWholeWhileTheReaderIsSlow() async throws {
        let size = 50_000
        let route = route { writer in
            try await withThrowingTaskGroup { group in
                for letter in UInt8(ascii: "a")...UInt8(ascii: "t") {
                    group.addTask { try await writer.write(Array(repeating: letter, count: size)) }
                }
                try await group.waitForAll()
            }
        }
        try await withServer([route]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/write"))
            let body = try await client.receiveResponse().body
            #expect(body.count == 20 * size)
            let pieces = stride(from: 0, to: body.count, by: size).map { Set(body[$0..<min($0 + size, body.count)]) }
            #expect(pieces.allSatisfy { $0.count == 1 })
            #expect(Set(pieces.compactMap(\.first)).count == 20)
        }
    }

    @Test func aWriterWhoseClientHasGoneIsToldSo() async throws {
        let ended = Locked<(any Error)?>(nil)
        let signal = Signal()
        let route = route { writer in
            do {
                while true { try await writer.write([UInt8](repeating: 0, count: 100_000)) }
            } catch {
                ended.withLock { $0 = error }
                signal.send()
                throw error
            }
        }
        try await withServer([route]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/write"))
            // It has begun to write.
            _ = try await client.receive(1)
            try await client.close(reset: true)
            await signal.wait()
            #expect(ended.withLock { $0 is CancellationError })
        }
    }

    @Test func aWriterThatFailsCutsTheConnectionOff() async throws {
        let route = route { writer in
            try await writer.write(Array("begun".utf8))
            throw Broken()
        }
        try await withServer([route]) { test in
            let client = try test.client()
            try await client.send(request("GET", "/write"))
            let received = String(decoding: try await client.receiveToEnd() ?? [], as: UTF8.self)
            #expect(received.contains("begun"))
            // Not ended as a chunked body ends.
            #expect(!received.hasSuffix("0\r\n\r\n"))
        }
    }
}
