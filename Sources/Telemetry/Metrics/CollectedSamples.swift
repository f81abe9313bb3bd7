/// Lines whose labels become known only while the program runs.
struct CollectedSamples: MetricSamples {
    let name: String
    let labels: [String]
    let read: @Sendable () -> [(labelValues: [String], value: Double)]

    func write(to text: inout ExpositionText) {
        for series in read() {
            let pairs = zip(labels, series.labelValues).map { (name: $0, value: $1) }
            text.append(ExpositionText.sampleStart(name, labels: pairs), value: series.value)
        }
    }
}
