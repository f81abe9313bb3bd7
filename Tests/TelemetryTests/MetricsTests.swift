import Testing

@testable import Telemetry

struct MetricsTests {
    private let registry = MetricsRegistry()

    @Test func concurrentIncrementsAllCount() async {
        let tasks = 32
        let perTask = 5000
        let counter = registry.counter("hits_total", help: "Hits.")
        let gauge = registry.gauge("level", help: "Level.")
        let histogram = registry.histogram("size", help: "Size.", buckets: [1, 2])
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for _ in 0..<perTask {
                        counter.increment(by: 2)
                        gauge.add(task.isMultiple(of: 2) ? 1 : -1)
                        histogram.observe(task.isMultiple(of: 2) ? 1 : 2)
                    }
                }
            }
        }
        #expect(counter.value == Double(2 * tasks * perTask))
        #expect(gauge.value == 0)
        #expect(histogram.count == UInt64(tasks * perTask))
        #expect(histogram.sum == Double(3 * tasks / 2 * perTask))
        #expect(histogram.cumulativeCounts() == [80_000, 160_000, 160_000])
    }

    @Test(arguments: [
        (0.9999, 0), (1, 0), (1.0.nextUp, 1), (2, 1), (2.5, 2), (-3, 0), (.infinity, 2), (-.infinity, 0),
    ])
    func aBucketsBoundBelongsToIt(value: Double, bucket: Int) {
        let histogram = Histogram(buckets: [1, 2])
        histogram.observe(value)
        #expect(histogram.cumulativeCounts().firstIndex(of: 1) == bucket)
    }

    @Test func notANumberIsNotObserved() {
        let histogram = Histogram(buckets: [1])
        histogram.observe(.nan)
        #expect(histogram.count == 0)
        #expect(histogram.sum == 0)
    }

    @Test func anUndeclaredLabelValueCountsAsTheFallbackAndMakesNoSeries() {
        let family = registry.counterFamily(
            "requests_total", help: "Requests.", labels: Label("route", values: ["a", "other", "b"]),
            Label("status", values: ["2xx"], fallback: "unknown"))
        let before = registry.prometheusText().count
        family["/etc/passwd", "2xx"].increment()
        family["other", "2xx"].increment()
        family["b", "999"].increment()
        #expect(family["other", "2xx"].value == 2)
        #expect(family["b", "unknown"].value == 1)
        #expect(family["a", "2xx"].value == 0)
        #expect(registry.prometheusText().count == before)
    }

    @Test func eachCombinationOfLabelValuesHasAMetricOfItsOwn() {
        let values = ["x", "y", "z"]
        let family = registry.counterFamily(
            "cells_total", help: "Cells.", labels: Label("row", values: values, fallback: nil),
            Label("column", values: ["1", "2"], fallback: nil))
        for (row, value) in values.enumerated() {
            family[value, "1"].increment(by: 10 * row)
            family[value, "2"].increment(by: 10 * row + 1)
        }
        #expect(family.series.map(\.metric.value) == [0, 1, 10, 11, 20, 21])
        #expect(family.series[3].labels.map(\.value) == ["y", "2"])
    }

    @Test(arguments: [
        ("a", true), ("_x9", true), ("job:rate5m", true), ("", false), ("9a", false), ("a-b", false), ("a b", false),
        ("ä", false), ("a.b", false),
    ])
    func metricNamesAreThoseOfPrometheus(name: String, isValid: Bool) {
        #expect(MetricName.isValid(name) == isValid)
    }

    @Test(arguments: [
        ("route", true), ("_x", true), ("__x", false), ("a:b", false), ("1", false), ("", false), ("le", true),
    ])
    func labelNamesAreThoseOfPrometheus(name: String, isValid: Bool) {
        #expect(MetricName.isValidLabel(name) == isValid)
    }

    @Test func programmingErrorsTrap() async {
        await #expect(processExitsWith: .failure) {
            MetricsRegistry().counter("a_total", help: "").increment(by: -1)
        }
        await #expect(processExitsWith: .failure) {
            let registry = MetricsRegistry()
            _ = registry.histogram("a", help: "", buckets: [1])
            _ = registry.gauge("a_sum", help: "")
        }
        await #expect(processExitsWith: .failure) {
            let family = MetricsRegistry().gaugeFamily("a", help: "", labels: Label("b", values: ["c"], fallback: nil))
            family["d"].set(1)
        }
    }
}
