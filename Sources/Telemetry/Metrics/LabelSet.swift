/// What a family's labels span.
enum LabelSet {
    /// Every combination of declared values, the last label's changing fastest.
    static func combinations(of labels: [Label]) -> [[String]] {
        labels.reduce([[]]) { prefixes, label in
            prefixes.flatMap { prefix in label.values.map { prefix + [$0] } }
        }
    }

    /// Traps unless the labels can stand side by side and don't span too many series.
    static func check(_ labels: [Label], of metric: String, kind: MetricKind) {
        let names = labels.map(\.name)
        precondition(!names.isEmpty, "\(metric) is a family without a label")
        precondition(Set(names).count == names.count, "\(metric) has a label twice: \(names)")
        precondition(
            kind != .histogram || !names.contains("le"), "\(metric): a histogram's label \"le\" is its bucket's")
        let size = labels.reduce(1) { $0 * $1.values.count }
        precondition(size <= MetricFamily<Counter>.maximumSeries, "\(metric) would have \(size) series")
    }
}
