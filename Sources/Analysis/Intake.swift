import Scheduling
import Threads

/// A task that takes images in while its children work on them. The first child that fails ends it, also where it waits
/// for the next image, which a task group by itself doesn't do.
final class Intake: Sendable {
    /// `@unchecked Sendable`: cancelling is allowed from any thread, and the task is there as long as the children that
    /// do it, which have all ended when `runInThisTask` leaves the closure that gave it.
    private struct IntakeTask: @unchecked Sendable {
        let task: UnsafeCurrentTask?

        func cancel() { task?.cancel() }
    }

    private let task: IntakeTask
    private let cause = CancellationCause(within: .current)
    /// Why the intake was ended, if by a child.
    private let failure = Locked<(any Error)?>(nil)

    private init(_ task: IntakeTask) {
        self.task = task
    }

    /// Runs `body` in a child of the calling task, so that it can be ended without touching the caller.
    ///
    /// - Parameter body: Has no children left when it returns or throws.
    /// - Throws: With what the first child failed, or else what `body` throws.
    static func run<R: Sendable>(_ body: @escaping @Sendable (Intake) async throws -> R) async throws -> R {
        async let result = runInThisTask(body)
        return try await result
    }

    private static func runInThisTask<R: Sendable>(
        _ body: @Sendable (Intake) async throws -> R
    ) async throws -> R {
        try await withUnsafeCurrentTask { currentTask in
            let intake = Intake(IntakeTask(task: currentTask))
            do {
                return try await CancellationCause.$current.withValue(intake.cause) { try await body(intake) }
            } catch {
                throw intake.failure.withLock { $0 } ?? error
            }
        }
    }

    /// Runs a child's work, and ends the intake with it if it fails.
    func child<R>(_ work: () async throws -> R) async throws -> R {
        do {
            return try await work()
        } catch {
            // A child that was cancelled says nothing about why.
            if !(error is CancellationError) {
                failure.withLock { $0 = $0 ?? error }
            }
            if error is Overload {
                cause.declare(.overload)
            }
            task.cancel()
            throw error
        }
    }
}
