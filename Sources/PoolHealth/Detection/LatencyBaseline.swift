/// What a pool's probes usually take: a high quantile of the last good answers.
struct LatencyBaseline: Sendable {
    private static let capacity = 128
    private var latencies: [Duration] = []
    private var next = 0

    mutating func add(_ latency: Duration) {
        if latencies.count < Self.capacity {
            latencies.append(latency)
        } else {
            latencies[next] = latency
        }
        next = (next + 1) % Self.capacity
    }

    /// The second longest of the last 128, which is their 99th percentile; zero before there are two.
    var percentile99: Duration {
        var longest = Duration.zero
        var second = Duration.zero
        for latency in latencies {
            if latency > longest {
                second = longest
                longest = latency
            } else if latency > second {
                second = latency
            }
        }
        return second
    }
}
