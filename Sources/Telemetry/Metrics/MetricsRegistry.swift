import Threads

/// Every metric of a process, and their text for Prometheus.
///
/// Metrics are registered while the program is built up, and live as long as the registry. A name that Prometheus would
/// refuse, or that is taken, is a programming error and traps at registration, where a test sees it.
public final class MetricsRegistry: Sendable {
    /// The `Content-Type` of `prometheusText()`.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// One block of the text: what a `# HELP` line starts.
    private struct Entry: Sendable {
        let name: String
        let kind: MetricKind
        let header: [UInt8]
        let metrics: [any MetricSamples]

        /// The names that its samples have. A histogram's are its own, and no other metric may have them.
        var sampleNames: [String] {
            kind == .histogram ? [name, name + "_bucket", name + "_sum", name + "_count"] : [name]
        }
    }

    /// Sorted by name, so that the text doesn't depend on the order in which a program happens to start.
    private let entries = Locked<[Entry]>([])

    /// A registry without metrics.
    public init() {}

    /// Registers a counter. By custom its name ends in `_total`.
    public func counter(_ name: String, help: String) -> Counter {
        let counter = Counter()
        register(name, help: help, kind: .counter, [ScalarSample(name) { counter.value }])
        return counter
    }

    /// Registers a counter whose value is kept elsewhere.
    /// - Parameter read: called on each scrape, on the scraping thread; must be quick and must never block. What it
    ///   returns must never fall.
    public func counter(_ name: String, help: String, read: @escaping @Sendable () -> Double) {
        register(name, help: help, kind: .counter, [ScalarSample(name, read: read)])
    }

    /// Registers counters that differ in their labels. Every combination of values is there at once, at zero.
    public func counterFamily(_ name: String, help: String, labels: Label...) -> CounterFamily {
        LabelSet.check(labels, of: name, kind: .counter)
        let family = CounterFamily(labels: labels, make: Counter.init)
        let samples = family.series.map { labels, counter in ScalarSample(name, labels: labels) { counter.value } }
        register(name, help: help, kind: .counter, samples)
        return family
    }

    /// Registers counters whose labels' values become known only while the program runs, such as places in its code.
    ///
    /// Unlike a family's, their number is bounded by nothing here: `read` has to see to it, and what comes from a
    /// client must never be among the values.
    /// - Parameter read: gives every series, each with a value for each of `labels`; called on each scrape, on the
    ///   scraping thread; must be quick and must never block. A series that was there once stays, and never falls.
    public func collectedCounters(
        _ name: String, help: String, labels: [String],
        read: @escaping @Sendable () -> [(labelValues: [String], value: Double)]
    ) {
        precondition(labels.allSatisfy(MetricName.isValidLabel), "not label names: \(labels)")
        register(name, help: help, kind: .counter, [CollectedSamples(name: name, labels: labels, read: read)])
    }

    /// Registers a gauge that the program sets.
    public func gauge(_ name: String, help: String) -> Gauge {
        let gauge = Gauge()
        register(name, help: help, kind: .gauge, [ScalarSample(name) { gauge.value }])
        return gauge
    }

    /// Registers a gauge whose value is kept elsewhere.
    /// - Parameter read: called on each scrape, on the scraping thread; must be quick and must never block. NaN says
    ///   that the value can't be had.
    public func gauge(_ name: String, help: String, read: @escaping @Sendable () -> Double) {
        register(name, help: help, kind: .gauge, [ScalarSample(name, read: read)])
    }

    /// Registers gauges that differ in their labels. Every combination of values is there at once, at zero.
    public func gaugeFamily(_ name: String, help: String, labels: Label...) -> GaugeFamily {
        LabelSet.check(labels, of: name, kind: .gauge)
        let family = GaugeFamily(labels: labels, make: Gauge.init)
        let samples = family.series.map { labels, gauge in ScalarSample(name, labels: labels) { gauge.value } }
        register(name, help: help, kind: .gauge, samples)
        return family
    }

    /// Registers gauges that differ in their labels and whose values are kept elsewhere.
    /// - Parameter read: gets the label values in the order of the labels; called on each scrape for each combination,
    ///   on the scraping thread; must be quick and must never block.
    public func gaugeFamily(
        _ name: String, help: String, labels: Label..., read: @escaping @Sendable (_ labelValues: [String]) -> Double
    ) {
        LabelSet.check(labels, of: name, kind: .gauge)
        let names = labels.map(\.name)
        let samples = LabelSet.combinations(of: labels).map { values in
            ScalarSample(name, labels: zip(names, values).map { ($0, $1) }) { read(values) }
        }
        register(name, help: help, kind: .gauge, samples)
    }

    /// Registers gauges that are all read in one go, since to count for one is to count for all.
    ///
    /// Their number is bounded by nothing here, as with ``collectedCounters(_:help:labels:read:)``.
    /// - Parameter read: gives every series, each with a value for each of `labels`; called once a scrape, on the
    ///   scraping thread; must be quick and must never block.
    public func collectedGauges(
        _ name: String, help: String, labels: [String],
        read: @escaping @Sendable () -> [(labelValues: [String], value: Double)]
    ) {
        precondition(labels.allSatisfy(MetricName.isValidLabel), "not label names: \(labels)")
        register(name, help: help, kind: .gauge, [CollectedSamples(name: name, labels: labels, read: read)])
    }

    /// Registers a histogram.
    public func histogram(_ name: String, help: String, buckets: HistogramBuckets) -> Histogram {
        let histogram = Histogram(buckets: buckets)
        register(name, help: help, kind: .histogram, [HistogramSamples(name, of: histogram)])
        return histogram
    }

    /// Registers histograms that share their buckets and differ in their labels. Every combination of values is there
    /// at once, at zero.
    public func histogramFamily(
        _ name: String, help: String, labels: Label..., buckets: HistogramBuckets
    ) -> HistogramFamily {
        LabelSet.check(labels, of: name, kind: .histogram)
        let family = HistogramFamily(labels: labels) { Histogram(buckets: buckets) }
        let samples = family.series.map { labels, histogram in HistogramSamples(name, labels: labels, of: histogram) }
        register(name, help: help, kind: .histogram, samples)
        return family
    }

    /// Registers a gauge that is always 1 and says something in its labels: a version, a configuration.
    public func info(_ name: String, help: String, labels: KeyValuePairs<String, String>) {
        let fixed = labels.map { Label($0.key, values: [$0.value], fallback: nil) }
        LabelSet.check(fixed, of: name, kind: .gauge)
        let pairs = labels.map { (name: $0.key, value: $0.value) }
        register(name, help: help, kind: .gauge, [ScalarSample(name, labels: pairs) { 1 }])
    }

    /// Every metric in Prometheus' text exposition format, version 0.0.4, sorted by name.
    ///
    /// Never awaits. The one lock is held for copying a reference; closures given to `read:` parameters run on the
    /// calling thread, outside of it.
    public func prometheusText() -> [UInt8] {
        let snapshot = entries.withLock { $0 }
        var text = ExpositionText()
        for entry in snapshot {
            text.append(entry.header)
            for metric in entry.metrics { metric.write(to: &text) }
        }
        return text.bytes
    }

    private func register(_ name: String, help: String, kind: MetricKind, _ metrics: [any MetricSamples]) {
        precondition(MetricName.isValid(name), "not a metric name: \(name)")
        let header = ExpositionText.header(name: name, help: help, kind: kind)
        let entry = Entry(name: name, kind: kind, header: header, metrics: metrics)
        entries.withLock { entries in
            let taken = Set(entries.flatMap(\.sampleNames))
            precondition(taken.isDisjoint(with: entry.sampleNames), "the name \(name) is taken")
            let place = entries.firstIndex { $0.name > name } ?? entries.endIndex
            entries.insert(entry, at: place)
        }
    }
}
