/// Who wants to know at which stage the running work is.
///
/// A class around a function, because Swift 6.3's optimiser loses the type of a task-local value that is a function,
/// and the program crashes when it is set.
public final class StageObserver: Sendable {
    /// Told of the stages of whatever the running task works on.
    @TaskLocal public static var current: StageObserver?

    private let onBegin: @Sendable (Stage) -> Void

    /// - Parameter onBegin: Called as each stage begins, on whatever thread that happens; must neither block nor take a
    ///   lock. A picture that several wait for tells the one for whom it was begun.
    public init(onBegin: @escaping @Sendable (Stage) -> Void) {
        self.onBegin = onBegin
    }

    /// The running work is at this stage now.
    public static func begin(_ stage: Stage) {
        current?.onBegin(stage)
    }
}
