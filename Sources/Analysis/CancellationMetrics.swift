import Scheduling
import Telemetry

/// What `/metrics` tells about work that was given up: where, why, how soon its resources were free, and what was
/// spent on it in vain.
public final class CancellationMetrics: Sendable {
    /// Where the work was.
    public enum Stage: String, CaseIterable, Sendable {
        /// Reading the request's body.
        case read
        /// Waiting for its turn.
        case queue
        /// Waiting for the same picture that another request has brought.
        case flight
        /// On a decode thread, or waiting for one or for memory.
        case decode
        /// In the model.
        case infer
        /// Writing results while others were still worked on.
        case write
    }

    /// Cancelled by somebody who gave no reason.
    private static let unknownReason = "other"

    private let cancelled: CounterFamily
    private let latency: HistogramFamily
    private let wasted: Counter

    /// Registers the metrics, each series at zero. Once per registry.
    public init(registry: MetricsRegistry) {
        let stage = Label("stage", values: Stage.allCases.map(\.rawValue), fallback: nil)
        cancelled = registry.counterFamily(
            "embedd_cancelled_total", help: "Pieces of work that were given up, by where they were and why.",
            labels: stage,
            Label(
                "reason", values: CancellationCause.Reason.allCases.map(\.rawValue) + [Self.unknownReason],
                fallback: Self.unknownReason))
        latency = registry.histogramFamily(
            "embedd_cancel_latency_seconds",
            help: "From the cause of a cancellation until thread, inference request, memory and place were free.",
            labels: stage,
            buckets: [
                0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.0075, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
            ])
        wasted = registry.counter(
            "embedd_wasted_seconds_total",
            help: "Time that decode threads and inferences went on for after nobody waited for them any more.")
    }

    /// Runs `work`, and counts it as given up in `stage` if it ends with a `CancellationError`.
    nonisolated(nonsending) public func attributing<R>(
        to stage: Stage, _ work: nonisolated(nonsending) () async throws -> R
    ) async throws -> R {
        do {
            return try await work()
        } catch let error as CancellationError {
            count(stage)
            throw error
        }
    }

    /// Counts what the running task does as given up in `stage`, now that its resources are free.
    public func count(_ stage: Stage) {
        count(stage, CancellationCause.current?.declaration)
    }

    /// Counts work that was given up, now that its resources are free.
    func count(_ stage: Stage, _ declaration: CancellationCause.Declaration?) {
        // Last what says that it happened: whoever has read that finds all of it.
        if let declaration {
            latency[stage.rawValue].observe(.now - declaration.instant)
        }
        cancelled[stage.rawValue, declaration?.reason.rawValue ?? Self.unknownReason].increment()
    }

    /// Counts what a thread or an inference did in vain that began at `begin` and ends now.
    func countWaste(since begin: ContinuousClock.Instant, _ declaration: CancellationCause.Declaration?) {
        guard let declaration else { return }
        let duration = ContinuousClock.now - max(begin, declaration.instant)
        wasted.increment(by: max(0, duration / .seconds(1)))
    }
}
