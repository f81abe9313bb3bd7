import Imaging

/// One key of the configuration: where it lives, how it is read and what is allowed.
struct Setting: Sendable {
    /// Section and name, `server.port`.
    let key: String
    /// What is allowed, in words.
    let allowed: String
    /// The value that a configuration has.
    let value: @Sendable (Configuration) -> ConfigurationValue
    /// Puts a value into a configuration; false, and nothing changed, if it is not allowed.
    let assign: @Sendable (ConfigurationValue, inout Configuration) -> Bool

    init<Value>(
        _ key: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable, _ format: ValueFormat<Value>
    ) {
        self.key = key
        allowed = format.allowed
        value = { format.write($0[keyPath: path]) }
        assign = { value, configuration in
            guard let read = format.read(value) else { return false }
            configuration[keyPath: path] = read
            return true
        }
    }

    /// The part before the dot.
    var section: String { String(key.prefix { $0 != "." }) }

    /// The part behind the dot.
    var name: String { String(key.drop { $0 != "." }.dropFirst()) }

    /// The environment variable that overrides it: `EMBEDD_SERVER_PORT`.
    var environmentVariable: String { "EMBEDD_" + key.uppercased().replacing(".", with: "_") }

    /// The flag that overrides both: `--server.port`.
    var flag: String { "--" + key }
}

extension Setting {
    /// Every key there is, in the order in which it is documented.
    static let all: [Setting] = [
        Setting("server.host", \.server.host, .address),
        Setting("server.port", \.server.port, .integer(0...65535)),
        Setting("server.unix_socket", \.server.unixSocket, .text("a path, or nothing", optional: true)),
        Setting("server.reuse_port", \.server.reusePort, .boolean),
        Setting("server.compression", \.server.compression, .boolean),
        Setting("server.cors_origins", \.server.corsOrigins, .origins),
        Setting("server.body_limit", \.server.bodyLimit, .byteCount(1024...(1 << 30))),
        Setting("server.body_budget", \.server.bodyBudget, .byteCount((1 << 20)...(1 << 40))),
        Setting("server.connection_limit", \.server.connectionLimit, .integer(1...1_000_000)),
        Setting("server.header_timeout", \.server.headerTimeout, .duration(.milliseconds(100) ... .seconds(3600))),
        Setting("server.idle_timeout", \.server.idleTimeout, .duration(.milliseconds(100) ... .seconds(3600))),
        Setting("server.response_rate", \.server.responseRate, .byteCount(0...(1 << 20))),
        Setting("server.half_close", \.server.halfClose, .choice()),
        Setting("server.drain_delay", \.server.drainDelay, .duration(.zero ... .seconds(3600))),
        Setting("server.shutdown_grace", \.server.shutdownGrace, .duration(.zero ... .seconds(3600))),
        Setting("request.deadline", \.request.deadline, .duration(.milliseconds(1) ... .seconds(3600))),
        Setting("queue.images", \.queue.images, .integer(1...1_000_000)),
        Setting("queue.bytes", \.queue.bytes, .byteCount((1 << 20)...(1 << 40))),
        Setting("queue.timeout", \.queue.timeout, .duration(.milliseconds(1) ... .seconds(3600))),
        Setting("batch.streams", \.batch.streams, .integer(1...10_000)),
        Setting("jobs.count", \.jobs.count, .integer(1...10_000)),
        Setting("jobs.bytes", \.jobs.bytes, .byteCount((1 << 20)...(1 << 40))),
        Setting("jobs.age", \.jobs.age, .duration(.milliseconds(1) ... .seconds(604_800))),
        Setting("decode.mode", \.decode.mode, .choice()),
        Setting("decode.pixel_limit", \.decode.pixelLimit, .integer(1...1_000_000_000)),
        Setting("decode.minimum_side", \.decode.minimumSide, .integer(1...65535)),
        Setting("decode.formats", \.decode.formats, ValueFormat<ImageFormat>.choices(of: ImageFormat.allCases)),
        Setting("decode.threads", \.decode.threads, .integer(0...256)),
        Setting("decode.memory_budget", \.decode.memoryBudget, .byteCount((1 << 20)...(1 << 40))),
        Setting("models.path", \.models.path, .text("a folder")),
        Setting("models.default", \.models.default, .modelName),
        Setting("inference.precision", \.inference.precision, .choice()),
        Setting("inference.streams", \.inference.streams, .integer(0...256)),
        Setting("inference.cache_path", \.inference.cachePath, .text("a folder, or nothing", optional: true)),
        Setting("inference.stall_limit", \.inference.stallLimit, .duration(.milliseconds(100) ... .seconds(3600))),
        Setting("cache.memory_bytes", \.cache.memoryBytes, .byteCount(0...(1 << 40))),
        Setting("cache.path", \.cache.path, .text("a file, or nothing", optional: true)),
        Setting("cache.file_bytes", \.cache.fileBytes, .byteCount(0...(1 << 50))),
        Setting("admin.host", \.admin.host, .address),
        Setting("admin.port", \.admin.port, .integer(0...65535)),
        Setting("pool.monitor", \.pool.monitor, .boolean),
        Setting("pool.abort_after", \.pool.abortAfter, .duration(.zero ... .seconds(3600))),
        Setting("pool.livez", \.pool.livez, .boolean),
        Setting("pool.chaos", \.pool.chaos, .boolean),
        Setting("log.format", \.log.format, .choice()),
        Setting("log.level", \.log.level, .choice()),
    ]
}
