import Telemetry

/// Writes one line for each request that is over.
public struct AccessLog: ServerObserver {
    /// Most characters of a path that a line holds.
    public static let pathLimit = 1024

    private let logger: Logger
    private let quietRoutes: Set<String>

    /// Logs to the logger, which never blocks.
    /// - Parameter quietRoutes: The names of routes whose successes are logged as `debug`: health checks and scrapes,
    ///   which come every few seconds and would bury what matters.
    public init(logger: Logger, quietRoutes: Set<String> = []) {
        self.logger = logger
        self.quietRoutes = quietRoutes
    }

    /// Writes the line; fields that aren't known, as the path of a malformed request, are left out.
    public func requestFinished(_ record: RequestRecord) {
        let isQuiet = quietRoutes.contains(record.route) && record.status == .ok
        logger.log(isQuiet ? .debug : .info, event: "request", fields: Self.fields(of: record))
    }

    private static func fields(of record: RequestRecord) -> LogFields {
        var fields: LogFields = [
            "request_id": .string(record.id), "remote": .string(record.remoteAddress.description),
        ]
        if let method = record.method {
            fields.append("method", .string(String(method.prefix(pathLimit))))
        }
        if let path = record.path {
            fields.append("path", .string(String(path.prefix(pathLimit))))
        }
        fields.append("route", .string(record.route))
        if let status = record.status {
            fields.append("status", .integer(status.code))
        }
        fields.append("bytes_in", .integer(record.bodyBytesReceived))
        fields.append("bytes_out", .integer(record.responseBytes))
        fields.append("duration_ms", .milliseconds(record.duration))
        fields.append("outcome", .string(record.outcome.rawValue))
        return fields
    }
}
