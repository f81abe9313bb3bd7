/// A counter's or a gauge's single line.
struct ScalarSample: MetricSamples {
    private let start: [UInt8]
    private let read: @Sendable () -> Double

    init(_ name: String, labels: [(name: String, value: String)] = [], read: @escaping @Sendable () -> Double) {
        start = ExpositionText.sampleStart(name, labels: labels)
        self.read = read
    }

    func write(to text: inout ExpositionText) {
        text.append(start, value: read())
    }
}
