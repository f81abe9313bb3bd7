/// A histogram's lines: a cumulative count for each bucket, the sum, the count.
struct HistogramSamples: MetricSamples {
    private let bucketStarts: [[UInt8]]
    private let sumStart: [UInt8]
    private let countStart: [UInt8]
    private let histogram: Histogram

    init(_ name: String, labels: [(name: String, value: String)] = [], of histogram: Histogram) {
        bucketStarts = histogram.bounds.map { bound in
            ExpositionText.sampleStart(name + "_bucket", labels: labels + [("le", ExpositionText.number(bound))])
        }
        sumStart = ExpositionText.sampleStart(name + "_sum", labels: labels)
        countStart = ExpositionText.sampleStart(name + "_count", labels: labels)
        self.histogram = histogram
    }

    func write(to text: inout ExpositionText) {
        let counts = histogram.cumulativeCounts()
        for (start, count) in zip(bucketStarts, counts) { text.append(start, value: Double(count)) }
        text.append(sumStart, value: histogram.sum)
        text.append(countStart, value: Double(counts.last ?? 0))
    }
}
