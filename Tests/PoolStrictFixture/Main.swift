@preconcurrency import Dispatch
import Glibc
import Scheduling

/// A program that makes one call which waits, to be run under `POOL_STRICT`: `pool-strict-fixture CALL PLACE`.
@main
enum Main {
    /// Where the call is made: by a task on Swift's pool, by a thread of a lane, or on a thread which the pool shares
    /// with Dispatch, but by a block, or by the main actor.
    private enum Place: String { case pool, lane, block, main }

    static func main() async throws {
        guard CommandLine.arguments.count == 3, let prepare = WaitingCall.all[CommandLine.arguments[1]],
            let place = Place(rawValue: CommandLine.arguments[2])
        else { exit(EX_USAGE) }
        let call = try prepare()
        switch place {
        case .pool: await Task.detached { await callAfterSuspension(call) }.value
        case .main: await callOnMainActor(call)
        case .lane: try await Lane(name: "blocking", threads: 1).run { _ in call() }
        case .block:
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    call()
                    continuation.resume()
                }
            }
        }
        print("went on")
    }

    /// After the first suspension Dispatch has another thread than the first one serve the main queue.
    @MainActor private static func callOnMainActor(_ call: @Sendable () -> Void) async {
        await Task.detached {}.value
        call()
    }

    /// After a suspension the runtime calls what is left of a function, and none of the functions that had called it
    /// are on the stack.
    private static func callAfterSuspension(_ call: @Sendable () -> Void) async {
        await Task.yield()
        call()
    }
}
