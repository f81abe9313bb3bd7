import Analysis
import HTTPWire

extension HTTPFields {
    /// `Server-Timing` (W3C): the stages in milliseconds, summed over the request's images.
    mutating func setServerTiming(_ stages: [StageDurations]) {
        func entry(_ name: String, _ duration: (StageDurations) -> Duration) -> String {
            let microseconds = stages.reduce(0) { $0 + duration($1) / .microseconds(1) }
            return "\(name);dur=\((microseconds / 10).rounded() / 100)"
        }
        let entries = [
            entry("queue", \.queue), entry("decode", \.decode), entry("preprocess", \.preprocess),
            entry("infer", \.infer),
        ]
        set(.serverTiming, entries.joined(separator: ", "))
    }
}
