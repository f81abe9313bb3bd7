import Threads

/// Why nobody waits for some work any more, and since when.
///
/// Swift's task cancellation says that, not why. Whoever can cancel a piece of work gives it a cause, as a task-local
/// value, and declares the reason on it right before the cancellation; whoever gives something back finds the
/// ``current`` cause and can tell by it what the cancellation cost.
///
/// Causes nest as the work does: a deadline for a part of a request has a cause of its own below the request's, so that
/// the deadline of a part is not taken for the end of the whole.
public final class CancellationCause: Sendable {
    /// Who gave the work up.
    public enum Reason: String, CaseIterable, Sendable {
        /// The client closed its connection, or was cut off because it was too slow.
        case clientGone = "client_gone"
        /// The time for the work was over.
        case deadline
        /// The service stops and the grace for running work is over.
        case shutdown
        /// Somebody deleted the job that the work belongs to.
        case deleted
        /// There is no room for another part of the whole, which is refused with it.
        case overload
    }

    /// A reason, and when it came.
    public struct Declaration: Equatable, Sendable {
        /// Who gave the work up.
        public let reason: Reason
        /// When the cancellation began.
        public let instant: ContinuousClock.Instant

        /// A reason that came at an instant.
        public init(reason: Reason, instant: ContinuousClock.Instant) {
            self.reason = reason
            self.instant = instant
        }
    }

    /// The innermost cause that the running task is subject to.
    @TaskLocal public static var current: CancellationCause?

    private let outer: CancellationCause?
    /// The first declaration; later ones change nothing.
    private let declared = Locked<Declaration?>(nil)

    /// A cause of which nothing was declared yet.
    ///
    /// - Parameter outer: The cause of the work that this work is a part of.
    public init(within outer: CancellationCause? = nil) {
        self.outer = outer
    }

    /// Says why, right before the cancellation. Only the first declaration counts. Any thread.
    public func declare(_ reason: Reason) {
        declare(Declaration(reason: reason, instant: .now))
    }

    /// Passes on why other work was given up, because this one was done for it.
    public func declare(_ declaration: Declaration) {
        declared.withLock { $0 = $0 ?? declaration }
    }

    /// The earliest of what was declared here and further out; nil if the work was not given up.
    public var declaration: Declaration? {
        let own = declared.withLock { $0 }
        guard let outer = outer?.declaration else { return own }
        guard let own else { return outer }
        return outer.instant < own.instant ? outer : own
    }
}
