import Analysis
import HTTPWire

extension HTTPFields {
    /// `Server-Timing` (W3C): the stages in milliseconds; of several images, each stage's longest, since they pass it
    /// side by side.
    mutating func setServerTiming(_ stages: [StageDurations]) {
        func entry(_ name: String, _ duration: (StageDurations) -> Duration) -> String {
            let microseconds = stages.map { duration($0) / .microseconds(1) }.max() ?? 0
            return "\(name);dur=\((microseconds / 10).rounded() / 100)"
        }
        let entries = [
            entry("queue", \.queue), entry("decode", \.decode), entry("preprocess", \.preprocess),
            entry("infer", \.infer),
        ]
        set(.serverTiming, entries.joined(separator: ", "))
    }
}
