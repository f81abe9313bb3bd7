/// How log lines look.
public enum LogFormatChoice: String, Sendable, CaseIterable {
    /// Text if standard error is a terminal, JSON if not.
    case automatic = "auto"
    /// One JSON object a line.
    case json
    /// Aligned text for people.
    case text
}
