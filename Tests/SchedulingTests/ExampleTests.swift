import Foundation
import Scheduling
import TestSupport
import Testing

/// The examples of `docs/scheduling` are the files in `Examples`, which these tests run.
@Suite struct ExampleTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let documentation = folder.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/scheduling")

    @Test(arguments: [
        "semaphore": "SemaphoreExample", "lanes": "LaneExample", "resume-once": "ResumeOnceExample",
        "deadlines": "DeadlineExample", "single-flight": "SingleFlightExample",
    ])
    func theDocumentationShowsWhatIsRunHere(page: String, example: String) throws {
        let text = try String(
            contentsOf: Self.documentation.appending(path: "\(page).md"), encoding: .utf8)
        let code = try String(
            contentsOf: Self.folder.appending(path: "Examples/\(example).swift"), encoding: .utf8)
        #expect(text.contains("```swift\n\(code)```\n"))
    }

    @Test func semaphore() async throws {
        let downloads = BoundedDownloads()
        let running = Count()
        let levels = EventLog<Int>()
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    let bytes = try await downloads.download(
                        byteCount: 16 << 20, isPrefetch: number.isMultiple(of: 2)
                    ) {
                        levels.append(running.add(1))
                        await Task.yield()
                        running.add(-1)
                        return [UInt8(number)]
                    }
                    #expect(bytes == [UInt8(number)])
                }
            }
            try await group.waitForAll()
        }
        #expect(levels.count == 50)
        #expect(levels.events.allSatisfy { $0 <= 4 })
        await #expect(throws: SemaphoreError.self) {
            try await downloads.download(byteCount: 65 << 20, isPrefetch: false) { [] }
        }
        #expect(downloads.connections.available == 4)
        #expect(downloads.memory.available == 64 << 20)
    }

    @Test func lane() async throws {
        let checksums = try Checksums()
        #expect(try await checksums.checksum(of: [[1, 2], [3]]) == (1 * 31 + 2) * 31 + 3)
        let endless = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await checksums.checksum(of: [[1]])
        }
        await #expect(throws: CancellationError.self) { try await endless.value }
        await checksums.finish()
        await #expect(throws: LaneError.self) { try await checksums.checksum(of: []) }
    }

    @Test func resumeOnce() async throws {
        let timers = try TimerQueue()
        let early = try await answer(within: .seconds(3_600), timers: timers) { callback in
            callback(1)
            callback(2)
        }
        #expect(early == 1)
        #expect(timers.scheduled == 0)
        await #expect(throws: DeadlineExceeded.self) {
            try await answer(within: .milliseconds(1), timers: timers) { _ in }
        }
        let waiting = Task { try await answer(within: .seconds(3_600), timers: timers) { _ in } }
        try await eventually("it waits") { timers.scheduled == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func deadline() async throws {
        let timers = try TimerQueue()
        #expect(try await currentPrice(within: .seconds(3_600), timers: timers) { 7 } == 7)
        let late = try await currentPrice(within: .milliseconds(5), timers: timers) {
            while !Task.isCancelled { await Task.yield() }
            return 8
        }
        #expect(late == nil)
    }

    @Test func singleFlight() async throws {
        let renderings = Count()
        let control = RunControl()
        let thumbnails = Thumbnails { size in
            renderings.add(1)
            try await control.hold()
            return [UInt8(size.width)]
        }
        let tasks = (0..<10).map { _ in Task { try await thumbnails.thumbnail(path: "a", width: 64) } }
        try await eventually("all wait") { thumbnails.flight.waiting == 10 }
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        control.letEnd()
        for task in tasks.dropFirst() {
            #expect(try await task.value == [64])
        }
        #expect(renderings.value == 1)
    }
}
