/// One of Dispatch's root queues, each with a pool of threads that never serve another one.
struct RootQueue: Hashable, Sendable {
    /// The pool of the tasks with this quality of service.
    let quality: Pool
    /// Whether its threads are for serial queues, which get one each, however many there are.
    let isOvercommit: Bool

    /// All of them, in the order in which Dispatch keeps them: background to user-initiated, the overcommitting one
    /// after the other of the same quality. (Dispatch's own list goes on at both ends; on Linux nothing uses those.)
    static let all: [RootQueue] = [Pool.background, .utility, .default, .userInitiated].flatMap { quality in
        [RootQueue(quality: quality, isOvercommit: false), RootQueue(quality: quality, isOvercommit: true)]
    }

    /// The pool that its threads are counted in.
    var pool: Pool { isOvercommit ? .overcommit : quality }

    /// Its value of the label `root`.
    var name: String { isOvercommit ? quality.rawValue + "_overcommit" : quality.rawValue }

    /// Its place in ``all``.
    var index: Int { (3 - quality.index) * 2 + (isOvercommit ? 1 : 0) }

    /// Threads that Dispatch gives one root queue at most (`DISPATCH_WORKQ_MAX_PTHREAD_COUNT`).
    static let threadLimit = 255
}
