/// A log line before it is written out.
struct LogRecord: Sendable {
    let time: Timestamp
    let level: LogLevel
    let event: String
    let fields: LogFields
}
