import Analysis
import HTTPServer
import Imaging
import Inference
import Scheduling

/// What the configuration says, in the terms of each room.
extension ServiceAssembly {
    static func makeEngine(_ configuration: Configuration, _ cores: UsableCores) throws -> InferenceEngine {
        let model = try Model(folder: "\(configuration.models.path)/\(configuration.models.default)")
        let streams = orCores(configuration.inference.streams, cores)
        let cachePath = configuration.inference.cachePath
        return try InferenceEngine(
            model: model,
            configuration: InferenceConfiguration(
                precision: configuration.inference.precision, streams: streams, threads: streams,
                cacheDirectory: cachePath.isEmpty ? nil : cachePath, stallLimit: configuration.inference.stallLimit))
    }

    static func analyzerConfiguration(_ configuration: Configuration) -> AnalyzerConfiguration {
        AnalyzerConfiguration(
            mode: configuration.decode.mode,
            limits: DecodeLimits(
                maximumPixels: configuration.decode.pixelLimit, minimumSide: configuration.decode.minimumSide,
                enabledFormats: Set(configuration.decode.formats)),
            admission: AdmissionLimits(
                images: configuration.queue.images, bytes: configuration.queue.bytes.bytes,
                timeout: configuration.queue.timeout),
            memoryBudgetBytes: configuration.decode.memoryBudget.bytes)
    }

    static func cacheConfiguration(_ configuration: Configuration) -> CacheConfiguration {
        let cache = configuration.cache
        return CacheConfiguration(
            memoryByteLimit: cache.memoryBytes.bytes, path: cache.path.isEmpty ? nil : cache.path,
            fileByteLimit: cache.fileBytes.bytes)
    }

    static func serverConfiguration(
        _ configuration: Configuration, inheritedDescriptors: [Int32], reporter: ProblemReporter,
        poolWatch: PoolWatch
    ) -> ServerConfiguration {
        var server = ServerConfiguration(addresses: inheritedDescriptors.isEmpty ? [configuration.server.address] : [])
        server.inheritedDescriptors = inheritedDescriptors
        server.sharesPort = configuration.server.reusePort
        server.compressesResponses = configuration.server.compression
        server.cors = configuration.server.cors
        server.bodyLimitBytes = configuration.server.bodyLimit.bytes
        server.bodyBudgetBytes = configuration.server.bodyBudget.bytes
        server.connectionLimit = configuration.server.connectionLimit
        server.timeLimits.header = configuration.server.headerTimeout
        server.timeLimits.idle = configuration.server.idleTimeout
        server.timeLimits.writeBytesPerSecond = configuration.server.responseRate.bytes
        server.allowsHalfClose = configuration.server.halfClose == .allow
        server.problemTypePrefix = Problem.typePrefix
        server.errorResponder = { error, request in Response(reporter.problem(for: error, of: request)) }
        server.requestScope = poolWatch.scope
        return server
    }

    /// 0 in the configuration means as many as there are usable cores.
    static func orCores(_ configured: Int, _ cores: UsableCores) -> Int {
        configured > 0 ? configured : cores.count
    }
}
