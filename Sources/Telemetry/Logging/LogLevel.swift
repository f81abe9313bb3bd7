/// How much a log line matters.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    /// For whoever is looking for a fault; off unless asked for.
    case debug
    /// What the service does: requests, start, stop.
    case info
    /// Something is not as it should be, and the service copes.
    case warning
    /// Something failed that should not have.
    case error

    /// Debug is the least, error the most.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}
