import CLinux
import Glibc

/// The thread that formats and writes a logger's lines, so that a slow terminal or disk holds up nobody else.
struct LogWriter: Sendable {
    /// As `ps -L` and `/proc` show it; Linux allows 15 bytes.
    private static let threadName = "log-writer"
    /// A buffer that once grew larger is given back.
    private static let keptBufferBytes = 1 << 16

    let queue: LogQueue
    let format: LogFormat
    let sink: LogSink

    /// Starts a detached thread that ends when the queue is closed and empty. Traps if the system has no thread left,
    /// which at the start of a process means that it can't run at all.
    func start() {
        let box = Unmanaged.passRetained(Box(self))
        // Signals are for the threads that wait for them; and a blocked SIGPIPE makes a closed pipe a mere EPIPE.
        var allSignals = sigset_t()
        var previous = sigset_t()
        sigfillset(&allSignals)
        pthread_sigmask(SIG_SETMASK, &allSignals, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, logWriterMain, box.toOpaque())
        precondition(failure == 0, "no thread for the log: error \(failure)")
        pthread_detach(thread)
    }

    fileprivate func run() {
        _ = clinux_set_thread_name(Self.threadName)
        var lines: [UInt8] = []
        var justWritten = 0
        while let batch = queue.next(afterWriting: justWritten) {
            for record in batch.records {
                LogLine.append(record, format: format, to: &lines)
            }
            if batch.dropped > 0 {
                let report = LogRecord(
                    time: .now(), level: .warning, event: "log_dropped", fields: ["count": .integer(batch.dropped)])
                LogLine.append(report, format: format, to: &lines)
            }
            sink.write(lines)
            justWritten = batch.records.count
            lines.removeAll(keepingCapacity: lines.count <= Self.keptBufferBytes)
        }
    }

    /// What travels through the C argument: retained by `start`, released by the thread.
    fileprivate final class Box: Sendable {
        let writer: LogWriter

        init(_ writer: LogWriter) {
            self.writer = writer
        }
    }
}

/// A thread's entry, which must not capture anything. The argument is the retained `Box` that `start` made.
private let logWriterMain: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
    guard let argument else { return nil }
    Unmanaged<LogWriter.Box>.fromOpaque(argument).takeRetainedValue().writer.run()
    return nil
}
