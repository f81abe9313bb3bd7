import Glibc
import HTTPServer
import HTTPWire
import TestSupport
import Testing
import Threads

@Suite(.timeLimit(.minutes(30))) struct ChurnTests {
    /// `make churn` asks for more connections, and runs this test alone: then the whole process is looked at, too.
    private static let requested = getenv("CHURN_CONNECTIONS").flatMap { Int(String(cString: $0)) }

    /// How many handlers run.
    private final class Running: Sendable {
        let count = Locked(0)
        private let never = Signal()

        /// Waits until its task is cancelled.
        func route() -> Route {
            Route(.get, "/wait", name: "wait") { _ in
                self.count.withLock { $0 += 1 }
                defer { self.count.withLock { $0 -= 1 } }
                await self.never.wait()
                throw CancellationError()
            }
        }
    }

    private static let endless = Route(.get, "/endless", name: "endless") { _ in
        Response(
            status: .ok,
            body: .stream(AsyncThrowingStream<[UInt8], any Error> { [UInt8](repeating: 0, count: 16_384) }))
    }

    @Test func nothingIsLeftOfConnectionsDroppedAnywhere() async throws {
        let running = Running()
        try await withServer([running.route(), Self.endless, echo, hello]) { test in
            let port = test.addresses[0].port
            // Whatever the first requests leave behind for good is there before the count begins.
            _ = try await test.exchange(request("GET", "/hello"))
            _ = await ChurnClient.run(100, on: test.addresses[0], seed: 7)
            await settle(test, running)
            let descriptorsBefore = Self.descriptors().count

            let count = Self.requested ?? 2_000
            let made = await ChurnClient.run(count, on: test.addresses[0], seed: 42)
            #expect(made == count)
            await settle(test, running)

            #expect(await test.server.openConnections == 0)
            #expect(test.recorder.closed == test.recorder.opened)
            #expect(test.recorder.finished == test.recorder.started)
            #expect(test.recorder.exhaustions == 0)
            // Of all descriptors of the process, the listener alone is bound to the server's port.
            #expect(Self.descriptors().count { Self.localPort(of: $0) == port } == 1)
            if Self.requested != nil {
                #expect(Self.descriptors().count == descriptorsBefore)
                let cpu = Self.processorSeconds()
                try await Task.sleep(for: .seconds(1))
                #expect(Self.processorSeconds() - cpu < 0.1, "the server is busy without connections")
            }
            #expect(try await test.exchange(request("GET", "/hello")).text == "hello")
        }
    }

    /// Waits until the server has seen all of its clients go. Accepting is first come, first served: when a new client
    /// is answered, all the others have been accepted.
    private func settle(_ test: TestServer, _ running: Running) async {
        _ = try? await test.exchange(request("GET", "/hello"))
        await test.recorder.waitUntilClosed(test.recorder.opened)
        // The handlers were cancelled by then. That they end is what is waited for; the suite's time limit says if not.
        var wait = PatientWait()
        while running.count.withLock({ $0 }) > 0 || test.recorder.finished < test.recorder.started {
            await wait.pause()
        }
    }

    private static func descriptors() -> [Int32] {
        guard let folder = opendir("/proc/self/fd") else { return [] }
        defer { closedir(folder) }
        let own = dirfd(folder)
        var numbers: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Int32(name), number != own { numbers.append(number) }
        }
        return numbers
    }

    private static func localPort(of descriptor: Int32) -> Int? {
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0, name.sin_family == sa_family_t(AF_INET) else { return nil }
        return Int(UInt16(bigEndian: name.sin_port))
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
