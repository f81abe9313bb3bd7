import COpenVINO

/// A network compiled for this machine's processor. Makes the requests that run it.
///
/// `@unchecked Sendable`: `ov_compiled_model_t` never changes after it was compiled, and OpenVINO allows making
/// requests of it from several threads at once.
final class CompiledNetwork: @unchecked Sendable {
    private let compiled: OpenVINOObject

    /// Whether a compiled form was found in the cache folder.
    let isFromCache: Bool

    /// Reads, prepares and compiles. Blocks for 100 to 500 ms.
    ///
    /// - Parameter cacheDirectory: a folder that exists and can be written, or `nil`.
    init(
        of model: Model, configuration: InferenceConfiguration, cacheDirectory: String?
    ) throws(InferenceError) {
        // Core and graph live only in here: the compiled form keeps what it needs of them, and the rest is memory.
        let core = try OpenVINOObject("start OpenVINO", free: ov_core_free) { core in
            ov_core_create(&core)
        }
        let graph = try NetworkGraph(of: model, core: core)
        let properties = Self.properties(configuration, cacheDirectory)
        let (corePointer, graphPointer, array) = (core.pointer, graph.model.pointer, properties.array)
        compiled = try OpenVINOObject("compile \(model.networkPath)", free: ov_compiled_model_free) { compiled in
            ov_core_compile_model_props(corePointer, graphPointer, "CPU", array.count, array, &compiled)
        }
        isFromCache = Self.property("LOADED_FROM_CACHE", of: compiled) == "YES"
        extendLifetime(properties)
    }

    /// A new request with buffers of its own.
    func makeRequest(for card: ModelCard) throws(InferenceError) -> InferRequest {
        let compiledPointer = compiled.pointer
        let request = try OpenVINOObject("make an inference request", free: ov_infer_request_free) { request in
            ov_compiled_model_create_infer_request(compiledPointer, &request)
        }
        return try InferRequest(request, card: card)
    }

    private static func properties(
        _ configuration: InferenceConfiguration, _ cacheDirectory: String?
    ) -> OpenVINOProperties {
        OpenVINOProperties([
            ("PERFORMANCE_HINT", "THROUGHPUT"),
            ("NUM_STREAMS", String(configuration.streams)),
            ("INFERENCE_NUM_THREADS", String(configuration.threads)),
            ("INFERENCE_PRECISION_HINT", configuration.precision.rawValue),
            // Pinned threads can't step aside: beside decoding on the same cores, and in a container whose cores others
            // use too, a stream would stand still while another core is idle.
            ("ENABLE_CPU_PINNING", "NO"),
            // An empty value means no cache.
            ("CACHE_DIR", cacheDirectory ?? ""),
        ])
    }

    private static func property(_ key: String, of compiled: borrowing OpenVINOObject) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard ov_compiled_model_get_property(compiled.pointer, key, &value) == OK, let value else { return nil }
        // Returned as a copy that is ours.
        defer { ov_free(value) }
        return String(cString: value)
    }
}
