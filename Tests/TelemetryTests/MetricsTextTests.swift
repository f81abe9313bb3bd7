import Telemetry
import Testing

/// Expected texts are written by hand after prometheus.io, "Exposition formats", version 0.0.4.
struct MetricsTextTests {
    private let registry = MetricsRegistry()

    private var text: String {
        String(decoding: registry.prometheusText(), as: UTF8.self)
    }

    @Test func everyKindOfMetricHasItsTextSortedByName() {
        let requests = registry.counterFamily(
            "requests_total", help: "Requests served.",
            labels: Label("route", values: ["embed", "metrics"], fallback: nil), Label("status", values: ["200"]))
        let duration = registry.histogram(
            "duration_seconds", help: "Time to answer.", buckets: [0.005, 0.25, 1])
        let inFlight = registry.gauge("in_flight", help: "Requests being served.")
        registry.info(
            "build_info", help: "What runs.", labels: ["version": "1.2.3", "swift": "6.3.1"])

        requests["embed", "200"].increment()
        requests["embed", "404"].increment(by: 3)
        inFlight.add(2)
        inFlight.add(-0.5)
        duration.observe(0.25)
        duration.observe(.milliseconds(4))
        duration.observe(12)

        #expect(
            text == """
                # HELP build_info What runs.
                # TYPE build_info gauge
                build_info{version="1.2.3",swift="6.3.1"} 1
                # HELP duration_seconds Time to answer.
                # TYPE duration_seconds histogram
                duration_seconds_bucket{le="0.005"} 1
                duration_seconds_bucket{le="0.25"} 2
                duration_seconds_bucket{le="1"} 2
                duration_seconds_bucket{le="+Inf"} 3
                duration_seconds_sum 12.254
                duration_seconds_count 3
                # HELP in_flight Requests being served.
                # TYPE in_flight gauge
                in_flight 1.5
                # HELP requests_total Requests served.
                # TYPE requests_total counter
                requests_total{route="embed",status="200"} 1
                requests_total{route="embed",status="other"} 3
                requests_total{route="metrics",status="200"} 0
                requests_total{route="metrics",status="other"} 0

                """)
    }

    @Test func helpAndLabelValuesAreEscaped() {
        let family = registry.gaugeFamily(
            "odd", help: "A \"help\" with \\ and\r\ntwo lines.",
            labels: Label("path", values: ["C:\\a \"b\"\nc"], fallback: nil))
        family["C:\\a \"b\"\nc"].set(1)
        #expect(
            text == "# HELP odd A \"help\" with \\\\ and\r\\ntwo lines.\n# TYPE odd gauge\n"
                + #"odd{path="C:\\a \"b\"\nc"} 1"# + "\n")
    }

    @Test(arguments: [
        (Double.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (0, "0"), (-0.5, "-0.5"),
        (1e15, "1000000000000000"),
        (0.1, "0.1"), (1e300, "1e+300"), (-7, "-7"),
    ])
    func numbersReadAsPrometheusWritesThem(value: Double, expected: String) {
        let gauge = registry.gauge("value", help: "A value.")
        gauge.set(value)
        #expect(text.hasSuffix("\nvalue \(expected)\n"))
    }

    @Test func valuesKeptElsewhereAreReadOnEachScrape() {
        let source = registry.counter("scrapes_total", help: "Scrapes.")
        registry.gauge("seen", help: "Seen.") {
            source.increment()
            return source.value
        }
        registry.counter("uses_total", help: "Uses.") { source.value * 10 }
        registry.gaugeFamily(
            "length", help: "Length of the label values.",
            labels: Label("first", values: ["a", "bb"], fallback: nil), Label("second", values: ["ccc"], fallback: nil)
        ) { labelValues in
            Double(labelValues.joined().count)
        }
        _ = registry.prometheusText()
        let lines = text.split(separator: "\n")
        #expect(lines.contains("seen 2"))
        #expect(lines.contains("uses_total 20"))
        #expect(lines.contains(#"length{first="a",second="ccc"} 4"#))
        #expect(lines.contains(#"length{first="bb",second="ccc"} 5"#))
    }

    @Test func histogramFamilyPutsTheBoundAfterItsLabels() {
        let family = registry.histogramFamily(
            "stage_seconds", help: "Stages.", labels: Label("stage", values: ["read"], fallback: nil), buckets: [1])
        family["read"].observe(2)
        #expect(
            text.hasSuffix(
                """
                stage_seconds_bucket{stage="read",le="1"} 0
                stage_seconds_bucket{stage="read",le="+Inf"} 1
                stage_seconds_sum{stage="read"} 2
                stage_seconds_count{stage="read"} 1

                """))
    }

    @Test func contentTypeNamesTheFormatsVersion() {
        #expect(MetricsRegistry.contentType == "text/plain; version=0.0.4; charset=utf-8")
    }
}
