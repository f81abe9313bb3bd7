/// One registered metric and the lines that it has in the text.
protocol MetricSamples: Sendable {
    func write(to text: inout ExpositionText)
}
