/// A fault with its parameters, as POST `/debug/chaos` and a command line take them.
public struct ChaosPlan: Sendable, Equatable {
    /// The most workers of one fault.
    public static let maximumWorkers = 512
    /// The longest fault.
    public static let maximumDuration = Duration.seconds(60)
    /// The names of the parameters: `fault`, `pool`, `workers` and `seconds`.
    public static let parameters = Parameter.allCases.map(\.rawValue)

    private enum Parameter: String, CaseIterable {
        case fault, pool, workers, seconds
    }

    private static let defaultSeconds = 2.0

    /// How the pool is broken.
    public let fault: ChaosFault
    /// Of which priority; never ``Pool/overcommit``, which no task has.
    public let pool: Pool
    /// Tasks, blocks or queues: 1 to ``maximumWorkers``.
    public let workers: Int
    /// How long each of them lasts: above zero, at most ``maximumDuration``.
    public let duration: Duration

    /// Reads the parameters. Only `fault` is needed: `pool` is `default`, `workers` as many as make the pool stand
    /// still, `seconds` 2.
    ///
    /// - Parameter value: gives a parameter's text by its name; `nil` if it was left out.
    /// - Throws: ``ChaosPlanError`` for the first value that is not allowed.
    public init(_ value: (_ parameter: String) -> String?) throws(ChaosPlanError) {
        func text(_ parameter: Parameter) -> String? { value(parameter.rawValue) }
        func refusal(_ parameter: Parameter, _ allowed: String) -> ChaosPlanError {
            ChaosPlanError(parameter: parameter.rawValue, allowed: allowed)
        }

        guard let fault = text(.fault).flatMap(ChaosFault.init) else {
            throw refusal(.fault, "one of \(ChaosFault.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard let pool = Pool(rawValue: text(.pool) ?? Pool.default.rawValue), pool != .overcommit else {
            throw refusal(.pool, "one of \(Pool.ofTasks.map(\.rawValue).joined(separator: ", "))")
        }
        let workers = text(.workers).map { Int($0) } ?? fault.sufficientWorkers
        guard let workers, (1...Self.maximumWorkers).contains(workers) else {
            throw refusal(.workers, "1 to \(Self.maximumWorkers)")
        }
        let limit = Self.maximumDuration.inSeconds
        let seconds = text(.seconds).map { Double($0) } ?? Self.defaultSeconds
        guard let seconds, seconds > 0, seconds <= limit else {
            throw refusal(.seconds, "above 0 and at most \(limit)")
        }
        self.init(fault: fault, pool: pool, workers: workers, duration: .seconds(seconds))
    }

    init(fault: ChaosFault, pool: Pool, workers: Int, duration: Duration) {
        self.fault = fault
        self.pool = pool
        self.workers = workers
        self.duration = duration
    }

    /// The pool that stands still for it: serial queues have threads of their own.
    var stalledPool: Pool { fault == .serial ? .overcommit : pool }

    /// In a few words.
    var summary: String { "\(fault.rawValue): \(workers) at \(pool.rawValue) for \(duration.inSeconds) s" }
}
