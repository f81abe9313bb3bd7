import Synchronization

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
        let help: String
        let kind: MetricKind
        let writeSamples: @Sendable (inout ExpositionText) -> Void
    }

    /// Sorted by name, so that the text doesn't depend on the order in which a program happens to start.
    private let entries = Mutex<[Entry]>([])

    /// A registry without metrics.
    public init() {}

    /// Registers a counter. By custom its name ends in `_total`.
    public func counter(_ name: String, help: String) -> Counter {
        let counter = Counter()
        register(name, help: help, kind: .counter) { $0.sample(name, labels: "", value: counter.value) }
        return counter
    }

    /// Registers a counter whose value is kept elsewhere.
    /// - Parameter read: called on each scrape, on the scraping thread; must be quick and must never block. What it
    ///   returns must never fall.
    public func counter(_ name: String, help: String, read: @escaping @Sendable () -> Double) {
        register(name, help: help, kind: .counter) { $0.sample(name, labels: "", value: read()) }
    }

    /// Registers counters that differ in their labels. Every combination of values is there at once, at zero.
    public func counterFamily(_ name: String, help: String, labels: Label...) -> CounterFamily {
        family(name, help: help, kind: .counter, labels: labels) { _ in
            Counter()
        } writeSamples: { text, pairs, counter in
            text.sample(name, labels: pairs, value: counter.value)
        }
    }

    /// Registers a gauge that the program sets.
    public func gauge(_ name: String, help: String) -> Gauge {
        let gauge = Gauge()
        register(name, help: help, kind: .gauge) { $0.sample(name, labels: "", value: gauge.value) }
        return gauge
    }

    /// Registers a gauge whose value is kept elsewhere.
    /// - Parameter read: called on each scrape, on the scraping thread; must be quick and must never block. NaN says
    ///   that the value can't be had.
    public func gauge(_ name: String, help: String, read: @escaping @Sendable () -> Double) {
        register(name, help: help, kind: .gauge) { $0.sample(name, labels: "", value: read()) }
    }

    /// Registers gauges that differ in their labels.
    public func gaugeFamily(_ name: String, help: String, labels: Label...) -> GaugeFamily {
        family(name, help: help, kind: .gauge, labels: labels) { _ in
            Gauge()
        } writeSamples: { text, pairs, gauge in
            text.sample(name, labels: pairs, value: gauge.value)
        }
    }

    /// Registers gauges that differ in their labels and whose values are kept elsewhere.
    /// - Parameter read: gets the label values in the order of the labels; called on each scrape for each combination,
    ///   on the scraping thread; must be quick and must never block.
    public func gaugeFamily(
        _ name: String, help: String, labels: Label..., read: @escaping @Sendable (_ labelValues: [String]) -> Double
    ) {
        _ = family(name, help: help, kind: .gauge, labels: labels) { labelValues in
            labelValues
        } writeSamples: { text, pairs, labelValues in
            text.sample(name, labels: pairs, value: read(labelValues))
        }
    }

    /// Registers a histogram.
    public func histogram(_ name: String, help: String, buckets: HistogramBuckets) -> Histogram {
        let histogram = Histogram(buckets: buckets)
        register(name, help: help, kind: .histogram) { $0.histogram(name, labels: "", of: histogram) }
        return histogram
    }

    /// Registers histograms that share their buckets and differ in their labels.
    public func histogramFamily(
        _ name: String, help: String, labels: Label..., buckets: HistogramBuckets
    ) -> HistogramFamily {
        family(name, help: help, kind: .histogram, labels: labels) { _ in
            Histogram(buckets: buckets)
        } writeSamples: { text, pairs, histogram in
            text.histogram(name, labels: pairs, of: histogram)
        }
    }

    /// Registers a gauge that is always 1 and says something in its labels: a version, a configuration.
    public func info(_ name: String, help: String, labels: KeyValuePairs<String, String>) {
        let fixed = labels.map { Label($0.key, values: [$0.value], fallback: nil) }
        LabelSet.check(fixed, of: name, kind: .gauge)
        let pairs = ExpositionText.pairs(names: labels.map(\.key), values: labels.map(\.value))
        register(name, help: help, kind: .gauge) { $0.sample(name, labels: pairs, value: 1) }
    }

    /// Every metric in Prometheus' text exposition format, version 0.0.4, sorted by name.
    ///
    /// Never awaits. The one lock is held for copying a reference; closures given to `read:` parameters run on the
    /// calling thread, outside of it.
    public func prometheusText() -> [UInt8] {
        let snapshot = entries.withLock { $0 }
        var text = ExpositionText()
        for entry in snapshot {
            text.header(name: entry.name, help: entry.help, kind: entry.kind)
            entry.writeSamples(&text)
        }
        return text.bytes
    }

    private func family<Metric: Sendable>(
        _ name: String, help: String, kind: MetricKind, labels: [Label],
        make: ([String]) -> Metric,
        writeSamples: @escaping @Sendable (inout ExpositionText, _ pairs: String, Metric) -> Void
    ) -> MetricFamily<Metric> {
        LabelSet.check(labels, of: name, kind: kind)
        let family = MetricFamily(labels: labels, make: make)
        let names = labels.map(\.name)
        // Rendered once: label values never change.
        let rendered = family.series.map { (ExpositionText.pairs(names: names, values: $0.labelValues), $0.metric) }
        register(name, help: help, kind: kind) { text in
            for (pairs, metric) in rendered { writeSamples(&text, pairs, metric) }
        }
        return family
    }

    private func register(
        _ name: String, help: String, kind: MetricKind,
        writeSamples: @escaping @Sendable (inout ExpositionText) -> Void
    ) {
        precondition(MetricName.isValid(name), "not a metric name: \(name)")
        let entry = Entry(name: name, help: help, kind: kind, writeSamples: writeSamples)
        entries.withLock { entries in
            let taken = entries.flatMap { Self.sampleNames(of: $0.name, kind: $0.kind) }
            precondition(
                Set(taken).isDisjoint(with: Self.sampleNames(of: name, kind: kind)), "the name \(name) is taken")
            let place = entries.firstIndex { $0.name > name } ?? entries.endIndex
            entries.insert(entry, at: place)
        }
    }

    /// A histogram's samples have names of their own, which no other metric may have.
    private static func sampleNames(of name: String, kind: MetricKind) -> [String] {
        kind == .histogram ? [name, name + "_bucket", name + "_sum", name + "_count"] : [name]
    }
}
