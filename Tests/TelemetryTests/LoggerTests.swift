import Foundation
import Telemetry
import Testing
import Threads

struct LoggerTests {
    /// A sink that keeps what it gets, and can be held shut.
    private final class Capture: Sendable {
        private let written = Locked<[UInt8]>([])
        let entered = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)

        var lines: [String] {
            String(decoding: written.withLock { $0 }, as: UTF8.self).split(separator: "\n").map(String.init)
        }

        func sink() -> LogSink {
            LogSink { lines in self.written.withLock { $0 += lines } }
        }

        /// Each write says that it has begun and waits for the gate.
        func gatedSink() -> LogSink {
            LogSink { lines in
                self.entered.signal()
                self.gate.wait()
                self.written.withLock { $0 += lines }
            }
        }
    }

    /// Far more than any of these tests needs; only a hang reaches it.
    private static let hangGuard = Duration.seconds(60)

    @Test func everyLineIsWrittenOnceAndInOrderPerThread() async {
        let capture = Capture()
        let logger = Logger(format: .json, queueCapacity: 100_000, sink: capture.sink())
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<500 {
                        logger.log(.info, event: "e", fields: ["t": .integer(task), "n": .integer(number)])
                    }
                }
            }
        }
        #expect(logger.flush(timeout: Self.hangGuard))
        let lines = capture.lines
        #expect(lines.count == 4000)
        for task in 0..<8 {
            let numbers = lines.filter { $0.contains("\"t\":\(task),") }.map { $0.split(separator: ":").last ?? "" }
            #expect(numbers == (0..<500).map { "\($0)}" })
        }
        #expect(logger.droppedLines == 0)
    }

    @Test func linesBelowTheMinimumAreNotEvenComputed() {
        let capture = Capture()
        let logger = Logger(format: .text, minimumLevel: .warning, sink: capture.sink())
        func unwanted() -> LogFields {
            Issue.record("computed")
            return [:]
        }
        logger.log(.info, event: "low", fields: unwanted())
        logger.log(.warning, event: "high")
        logger.log(.error, event: "highest")
        #expect(logger.flush(timeout: Self.hangGuard))
        #expect(capture.lines.map { $0.split(separator: " ").last } == ["high", "highest"])
        #expect(!logger.isEnabled(.debug))
    }

    @Test func withoutRoomLinesAreDroppedAndReportedInTheirPlace() {
        let capture = Capture()
        let logger = Logger(format: .json, queueCapacity: 3, sink: capture.gatedSink())
        logger.log(.info, event: "first")
        capture.entered.wait()
        // The sink holds one line, two more fit, and the caller is never held up.
        for number in 2...9 { logger.log(.info, event: "line\(number)") }
        #expect(logger.droppedLines == 6)
        #expect(!logger.flush(timeout: .zero))
        for _ in 0..<3 { capture.gate.signal() }
        #expect(logger.flush(timeout: Self.hangGuard))
        logger.log(.info, event: "later")
        #expect(logger.flush(timeout: Self.hangGuard))

        let events = capture.lines.map { line in
            line.replacing(/.*"level":"(\w+)","event":"(\w+)"(.*)}/) { "\($0.1) \($0.2)\($0.3)" }
        }
        #expect(
            events == ["info first", "info line2", "info line3", "warning log_dropped,\"count\":6", "info later"])
        #expect(logger.droppedLines == 6)
    }

    @Test func flushGivesUpWhenTheSinkIsStuck() {
        let capture = Capture()
        let logger = Logger(format: .json, sink: capture.gatedSink())
        logger.log(.info, event: "stuck")
        #expect(!logger.flush(timeout: .milliseconds(10)))
        capture.gate.signal()
        #expect(logger.flush(timeout: Self.hangGuard))
        #expect(capture.lines.count == 1)
    }

    @Test func whatWasLoggedIsWrittenAfterTheLoggerIsGone() {
        let capture = Capture()
        var logger: Logger? = Logger(format: .json, sink: capture.gatedSink())
        logger?.log(.info, event: "last words")
        logger = nil
        capture.gate.signal()
        capture.entered.wait()
        let deadline = ContinuousClock.now + Self.hangGuard
        while capture.lines.isEmpty, ContinuousClock.now < deadline { sched_yield() }
        #expect(capture.lines.count == 1)
    }

    @Test func aFullNonBlockingPipeIsWaitedForAndABrokenOneIsNoHarm() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (readEnd, writeEnd) = (ends[0], ends[1])
        defer { close(writeEnd) }
        try #require(fcntl(writeEnd, F_SETFL, O_NONBLOCK) == 0)
        let logger = Logger(format: .json, sink: .fileDescriptor(writeEnd))
        // More than a pipe holds.
        let long = String(repeating: "x", count: 300_000)
        logger.log(.info, event: "long", fields: ["text": .string(long)])
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while received.last != UInt8(ascii: "\n") {
            let count = read(readEnd, &buffer, buffer.count)
            try #require(count > 0)
            received += buffer[..<count]
        }
        #expect(String(decoding: received, as: UTF8.self).hasSuffix(#""text":"\#(long)"}"# + "\n"))

        close(readEnd)
        logger.log(.info, event: "nobody reads")
        #expect(logger.flush(timeout: Self.hangGuard))
    }

    @Test func aPipeIsLoggedToInJSON() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        #expect(LogFormat.automatic(for: ends[1]) == .json)
    }

    @Test func aTerminalIsLoggedToInText() throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { close(terminal) }
        #expect(LogFormat.automatic(for: terminal) == .text)
    }
}
