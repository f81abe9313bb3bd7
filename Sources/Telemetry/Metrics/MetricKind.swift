/// The types of the text exposition format that this module has.
enum MetricKind: String, Sendable {
    case counter
    case gauge
    case histogram
}
