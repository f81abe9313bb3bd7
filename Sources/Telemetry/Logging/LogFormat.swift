import Glibc

/// What a log line looks like.
public enum LogFormat: String, Sendable, CaseIterable {
    /// One JSON object a line (RFC 8259): "time" (RFC 3339, UTC, milliseconds), "level", "event", then the fields.
    case json
    /// For a person at a terminal: `14:03:21.123 info     request           status=200 duration_ms=12.3`, in UTC.
    case text

    /// Text if `descriptor` is a terminal, JSON otherwise.
    public static func automatic(for descriptor: Int32) -> LogFormat {
        isatty(descriptor) == 1 ? .text : .json
    }
}
