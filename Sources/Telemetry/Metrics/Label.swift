/// One dimension of a metric family: a name and every value it may ever take, declared in advance, so that nothing a
/// client sends can create a series.
public struct Label: Sendable {
    /// The label's name, as in `{name="value"}`.
    public let name: String
    /// Every value with a series of its own, in the order of declaration; a fallback not among them comes last.
    public let values: [String]
    /// The value that counts for every undeclared one.
    public let fallback: String?

    /// - Parameters:
    ///   - name: `[a-zA-Z_][a-zA-Z0-9_]*`, not starting with two underscores (Prometheus, "Metric names and labels").
    ///   - values: every value, each once.
    ///   - fallback: where an undeclared value lands. `nil` says that the values are a closed set of the program's
    ///     own: then asking for an undeclared one is a programming error.
    ///
    /// An invalid name, a repeated value or no value at all is a programming error and traps.
    public init(_ name: String, values: [String], fallback: String? = "other") {
        precondition(MetricName.isValidLabel(name), "not a label name: \(name)")
        var all = values
        if let fallback, !values.contains(fallback) { all.append(fallback) }
        precondition(!all.isEmpty, "the label \(name) needs a value")
        precondition(Set(all).count == all.count, "the label \(name) declares a value twice")
        self.name = name
        self.values = all
        self.fallback = fallback
    }
}
