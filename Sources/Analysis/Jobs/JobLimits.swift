/// How much jobs may keep.
public struct JobLimits: Sendable, Equatable {
    /// Most jobs at a time, those that have ended included; at least 1.
    public var count: Int
    /// Most bytes of waiting pictures and of results, of all jobs together.
    public var bytes: Int
    /// How long a job is kept that stands still: it has ended, is paused, or its next picture is not sent.
    public var age: Duration

    /// 64 jobs, 256 MiB, an hour.
    public init(count: Int = 64, bytes: Int = 256 << 20, age: Duration = .seconds(3600)) {
        self.count = count
        self.bytes = bytes
        self.age = age
    }
}
