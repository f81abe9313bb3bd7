import Glibc
import Threads

/// The thread that formats and writes a logger's lines, so that a slow terminal or disk holds up nobody else.
struct LogWriter: Sendable {
    /// As `ps -L` and `/proc` show it.
    private static let threadName = "log-writer"
    /// A buffer that once grew larger is given back.
    private static let keptBufferBytes = 1 << 16

    let queue: LogQueue
    let format: LogFormat
    let sink: LogSink

    /// Starts a thread that ends when the queue is closed and empty. Traps if the system has no thread left, which at
    /// the start of a process means that it can't run at all.
    func start() {
        do {
            try OwnThread.start(name: Self.threadName) { run() }
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private func run() {
        // Signals are for the threads that wait for them; and a blocked SIGPIPE makes a closed pipe a mere EPIPE.
        var allSignals = sigset_t()
        sigfillset(&allSignals)
        pthread_sigmask(SIG_SETMASK, &allSignals, nil)
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
}
