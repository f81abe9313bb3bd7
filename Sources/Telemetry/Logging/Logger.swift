/// A structured log: an event name and fields, one line each.
///
/// Logging never waits: the line is queued, and a thread of the logger's own formats and writes it. When the queue is
/// full, lines are dropped and counted, and a `log_dropped` line with their number follows as soon as there is room.
public final class Logger: Sendable {
    /// How many lines may wait or be in writing, unless said otherwise.
    public static let defaultQueueCapacity = 8192

    /// Lines below this level are not logged.
    public let minimumLevel: LogLevel

    private let queue: LogQueue

    /// Starts the writer thread.
    /// - Parameter queueCapacity: how many lines may wait or be in writing; at least 1.
    public init(
        format: LogFormat, minimumLevel: LogLevel = .info, queueCapacity: Int = Logger.defaultQueueCapacity,
        sink: LogSink
    ) {
        precondition(queueCapacity > 0, "a log queue without room")
        self.minimumLevel = minimumLevel
        queue = LogQueue(capacity: queueCapacity)
        LogWriter(queue: queue, format: format, sink: sink).start()
    }

    deinit {
        queue.close()
    }

    /// How many lines were dropped since the start, for want of room.
    public var droppedLines: Int {
        queue.droppedInAll
    }

    /// Whether a line of this level would be logged.
    public func isEnabled(_ level: LogLevel) -> Bool {
        level >= minimumLevel
    }

    /// Queues a line; returns at once. The fields are not even computed if the level is not enabled.
    /// - Parameters:
    ///   - event: what happened, as one stable word like `request` or `server_started`.
    ///   - fields: written in their order, after the time, the level and the event.
    public func log(_ level: LogLevel, event: String, fields: @autoclosure () -> LogFields = [:]) {
        guard isEnabled(level) else { return }
        queue.enqueue(LogRecord(time: .now(), level: level, event: event, fields: fields()))
    }

    /// Blocks the calling thread until everything logged before is written, or the timeout is over: for the end of
    /// the process, not for the cooperative pool.
    /// - Returns: whether everything was written.
    @discardableResult
    public func flush(timeout: Duration) -> Bool {
        queue.flush(timeout: timeout)
    }
}
