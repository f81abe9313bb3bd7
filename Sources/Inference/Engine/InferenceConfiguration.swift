import Scheduling

/// How an ``InferenceEngine`` uses the machine.
public struct InferenceConfiguration: Equatable, Sendable {
    /// Thirty seconds: hundreds of times what an inference takes, even on a loaded machine.
    public static let defaultStallLimit = Duration.seconds(30)

    /// The number format of the arithmetic. Part of the model's fingerprint.
    public var precision: InferencePrecision

    /// How many inferences run at the same time, at least 1.
    public var streams: Int

    /// How many threads all streams share, at least 1. More than the machine has cores gives the cores.
    public var threads: Int

    /// A folder for compiled networks, which halves the time to load a model; made if it isn't there. `nil` compiles
    /// each time. One that can't be used costs only that time: see ``InferenceEngine/cacheProblem``.
    public var cacheDirectory: String?

    /// After how long an inference that gives no sign of life is given up. A guard against a fault in the library,
    /// not a request's deadline: those cancel the task.
    public var stallLimit: Duration

    /// One stream and one thread a usable core: each picture has a core to itself, which gives the most pictures per
    /// second.
    public init(
        precision: InferencePrecision = .f32,
        streams: Int = UsableCores.count(),
        threads: Int = UsableCores.count(),
        cacheDirectory: String? = nil,
        stallLimit: Duration = Self.defaultStallLimit
    ) {
        self.precision = precision
        self.streams = streams
        self.threads = threads
        self.cacheDirectory = cacheDirectory
        self.stallLimit = stallLimit
    }
}
