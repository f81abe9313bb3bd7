/// Tells what a body is by its bytes alone; names and Content-Types are often wrong.
public enum FormatSniffer {
    /// Looks at up to the first ``inspectedBytes`` bytes.
    public static func sniff(_ bytes: [UInt8]) -> SniffedContent {
        .unsupported(.unknown)
    }
}
