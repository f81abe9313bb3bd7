import Analysis
import Inference
import Scheduling
import Telemetry

/// Metrics of the service as a whole, whose values its rooms keep.
extension ServiceAssembly {
    static func register(
        _ registry: MetricsRegistry, logger: Logger, analyzer: Analyzer, lane: Lane, engine: InferenceEngine,
        cores: UsableCores,
        memoryBudget: ByteCount
    ) {
        ProcessMetrics.register(in: registry)
        registry.counter("embedd_log_dropped_lines_total", help: "Log lines that were dropped for want of room.") {
            Double(logger.droppedLines)
        }
        registry.info(
            "embedd_build_info", help: "The version that runs.",
            labels: ["version": Version.current, "model": analyzer.model.card.name])
        registry.gauge("embedd_usable_cores", help: "Cores that affinity and cgroup quota leave to the process.") {
            Double(cores.count)
        }
        registry.gauge("embedd_decode_threads", help: "Threads of the decode lane.") { Double(lane.threads) }
        registry.gauge("embedd_decode_running", help: "Images on a decode thread.") { Double(lane.running) }
        registry.counter(
            "embedd_inference_stalls_total",
            help: "Inferences that were given up without a sign of life; the memory of each is kept for good."
        ) { Double(engine.abandonedRequests) }
        registry.gauge("embedd_inference_streams", help: "Inferences that can run side by side.") {
            Double(engine.configuration.streams)
        }
        register(registry, analyzer, memoryBudget: memoryBudget)
    }

    static func register(_ registry: MetricsRegistry, _ analyzer: Analyzer, memoryBudget: ByteCount) {
        registry.gauge("embedd_images_queued", help: "Images that wait for their turn.") {
            Double(analyzer.load.waitingImages)
        }
        registry.gauge("embedd_queue_bytes", help: "Bytes of the image files that wait for their turn.") {
            Double(analyzer.load.waitingBytes)
        }
        registry.gauge(
            "embedd_queue_wait_estimate_seconds",
            help: "When the turn of an image would come that joins the queue now, by the measured rate."
        ) { analyzer.load.estimatedWait / .seconds(1) }
        registry.gauge("embedd_decode_memory_bytes", help: "Memory set aside for the pictures that are decoded.") {
            Double(analyzer.load.memoryBytes)
        }
        registry.gauge("embedd_decode_memory_budget_bytes", help: "Memory that all decodes together may have.") {
            Double(memoryBudget.bytes)
        }
        registry.gauge("embedd_flights", help: "Different pictures that are waiting or being worked on.") {
            Double(analyzer.load.flights)
        }
    }
}
