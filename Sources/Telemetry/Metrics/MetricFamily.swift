/// Metrics of one name, one for each combination of its labels' declared values.
///
/// All of them exist at zero from registration, so that a rate over a rare event starts from 0 and not from nothing,
/// and so that memory is bounded whatever clients send. A lookup hashes each label value and allocates nothing that
/// lasts; where even that is too much, keep the metric.
public final class MetricFamily<Metric: Sendable>: Sendable {
    /// The most series a family may have; more is a label that should not be one.
    public static var maximumSeries: Int { 10_000 }

    /// The declared dimensions, in the order in which the subscript takes their values.
    public let labels: [Label]

    /// For each label, where each of its values stands.
    private let positions: [[String: Int]]
    /// Every combination, the last label's values changing fastest.
    private let metrics: [Metric]

    init(labels: [Label], make: () -> Metric) {
        self.labels = labels
        positions = labels.map { label in
            Dictionary(uniqueKeysWithValues: label.values.enumerated().map { ($1, $0) })
        }
        metrics = LabelSet.combinations(of: labels).map { _ in make() }
    }

    /// The metric of these label values, in the order of the labels.
    ///
    /// An undeclared value counts as the label's fallback. A wrong number of values, or an undeclared value of a label
    /// without a fallback, is a programming error and traps.
    public subscript(_ labelValues: String...) -> Metric {
        precondition(
            labelValues.count == labels.count, "\(labelValues.count) values for \(labels.count) labels")
        var index = 0
        for position in labels.indices {
            index = index * labels[position].values.count + place(of: labelValues[position], inLabel: position)
        }
        return metrics[index]
    }

    private func place(of value: String, inLabel position: Int) -> Int {
        if let place = positions[position][value] { return place }
        let label = labels[position]
        guard let fallback = label.fallback, let place = positions[position][fallback] else {
            preconditionFailure("the label \(label.name) has no value \(value) and no fallback")
        }
        return place
    }

    /// Every metric with its labels, the last label's values changing fastest.
    var series: [(labels: [(name: String, value: String)], metric: Metric)] {
        let names = labels.map(\.name)
        return zip(LabelSet.combinations(of: labels), metrics).map { values, metric in
            (zip(names, values).map { ($0, $1) }, metric)
        }
    }
}

/// Counters that differ in their labels.
public typealias CounterFamily = MetricFamily<Counter>

/// Gauges that differ in their labels.
public typealias GaugeFamily = MetricFamily<Gauge>

/// Histograms that differ in their labels and share their buckets.
public typealias HistogramFamily = MetricFamily<Histogram>
