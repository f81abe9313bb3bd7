/// Who wants to know at which stage the running work is.
public enum StageObserver {
    /// Told of each stage as it begins, on whatever thread that happens; must neither block nor take a lock. A picture
    /// that several wait for tells those for whom it was begun.
    @TaskLocal public static var current: (@Sendable (Stage) -> Void)?

    /// The running work is at this stage now.
    public static func begin(_ stage: Stage) {
        current?(stage)
    }
}
