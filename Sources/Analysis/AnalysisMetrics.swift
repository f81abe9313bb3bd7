import Imaging
import Telemetry

/// What `/metrics` tells about images and the stages they go through.
public final class AnalysisMetrics: Sendable {
    /// How an image ended.
    enum Outcome: String, CaseIterable {
        /// It has its vector: computed for it, found in the cache, or shared with another request.
        case ok
        /// Not a picture, or a format that is not enabled.
        case unsupported
        /// More pixels than are allowed, or more memory than there is.
        case tooLarge = "too_large"
        /// A side shorter than is accepted.
        case tooSmall = "too_small"
        /// A damaged file.
        case broken
        /// Refused, because its turn would have come too late.
        case overload
        /// Nobody waited for it any more.
        case cancelled
        /// The model failed.
        case failed

        init(_ error: any Error) {
            self =
                switch error {
                case is CancellationError: .cancelled
                case ImagingError.unsupported: .unsupported
                case is Overload: .overload
                case ImagingError.tooManyPixels, ImagingError.sideTooLong, is MemoryExceeded: .tooLarge
                case ImagingError.tooSmall: .tooSmall
                case ImagingError.broken: .broken
                default: .failed
                }
        }
    }

    private let images: CounterFamily
    private let stageDurations: HistogramFamily
    private let bytes: Counter
    private let inFlight: Gauge
    private let refusals: CounterFamily

    /// Registers the metrics, each series at zero. Once per registry.
    public init(registry: MetricsRegistry) {
        images = registry.counterFamily(
            "embedd_images_total", help: "Images that were taken on, by the format of their bytes and how they ended.",
            labels: Label("format", values: ImageFormat.allCases.map(\.rawValue)),
            Label("outcome", values: Outcome.allCases.map(\.rawValue), fallback: nil))
        stageDurations = registry.histogramFamily(
            "embedd_stage_duration_seconds", help: "How long requests and images stayed in each stage.",
            labels: Label("stage", values: Stage.allCases.map(\.rawValue), fallback: nil), buckets: .latencySeconds)
        bytes = registry.counter("embedd_image_bytes_total", help: "Bytes of the image files that were taken on.")
        inFlight = registry.gauge("embedd_images_in_flight", help: "Images that are waiting or being worked on.")
        refusals = registry.counterFamily(
            "embedd_admission_refused_total", help: "Images that were refused before any work, by why.",
            labels: Label("reason", values: Overload.Reason.allCases.map(\.rawValue), fallback: nil))
    }

    func refused(_ overload: Overload) {
        refusals[overload.reason.rawValue].increment()
    }

    /// Counts the time that something stayed in a stage.
    public func observe(_ stage: Stage, _ duration: Duration) {
        stageDurations[stage.rawValue].observe(duration)
    }

    func began(_ source: ImageSource) {
        inFlight.add(1)
        bytes.increment(by: source.bytes.count)
    }

    func ended(_ source: ImageSource, with result: Result<ImageAnalysis, any Error>) {
        // Last what says that it is over: whoever has read that nothing is in flight finds it counted.
        defer { inFlight.add(-1) }
        let format = FormatSniffer.sniff(source.bytes).name
        switch result {
        case .success:
            images[format, Outcome.ok.rawValue].increment()
        case .failure(let error):
            images[format, Outcome(error).rawValue].increment()
        }
    }
}
