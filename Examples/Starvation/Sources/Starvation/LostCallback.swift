import Dispatch
import Scheduling

/// An interface with a callback, and a callback that is lost. What that stops depends on how one waits for it.
enum LostCallback {
    private static let deadline = Duration.milliseconds(300)

    static func show(on stage: Stage) throws -> Bool {
        let requests = stage.poolWidth
        stage.title("3. A callback that never comes")

        stage.form("naive: \(requests) tasks make the interface synchronous with a semaphore")
        let isDiagnosed = stage.starve(culprit: "askAndBlock(_:)") {
            let peer = SilentPeer()
            for _ in 0..<requests {
                Task.detached { askAndBlock(peer) }
            }
        }

        let isVisible = showForgottenContinuation(on: stage)

        stage.form("cured: ResumeOnce takes the first of callback and deadline, which a TimerQueue keeps")
        let timers = try TimerQueue()
        let peer = SilentPeer()
        let (waits, isWell) = stage.watch {
            await withTaskGroup(of: Duration?.self) { group in
                for _ in 0..<requests {
                    group.addTask { await askWithDeadline(peer, timers) }
                }
                return await group.reduce(into: [Duration?]()) { $0.append($1) }
            }
        }
        let expired = waits.compactMap { $0 }
        let hasEnded = stage.check(
            expired.count == requests, "the requests",
            "\(expired.count) of \(requests) ended with DeadlineExceeded after \(stage.format(expired.max() ?? .zero))")
        let late = peer.callBackLate()
        stage.say("callbacks after that", "\(late) came, and were ignored")
        return isDiagnosed && isVisible && isWell && hasEnded
    }

    private static func askAndBlock(_ peer: SilentPeer) {
        let answered = DispatchSemaphore(value: 0)
        peer.ask { answered.signal() }
        // Really without a limit. The demonstration wants to go on.
        let outcome = answered.wait(timeout: .now() + .milliseconds(1_500))
        if outcome == .timedOut { peer.forget() }
    }

    /// A continuation blocks no thread. So no pool stands still, and the monitor is right to be silent: it is the request
    /// that hangs, for ever. Requests in flight show that by their age.
    private static func showForgottenContinuation(on stage: Stage) -> Bool {
        stage.form("half cured: a task awaits a continuation that nobody resumes")
        let peer = SilentPeer()
        let inFlight = stage.inFlight
        let request = inFlight.begin("request-1")
        Task.detached {
            request.stage = "awaiting callback"
            await withCheckedContinuation { continuation in
                peer.ask { continuation.resume() }
            }
            request.end()
        }
        let (oldest, isWell) = stage.watch {
            try? await Task.sleep(for: .seconds(1))
            return inFlight.snapshot().first
        }
        let text = oldest.map { "\($0.identifier), \($0.stage), \(stage.format($0.age)) old and hanging" }
        let isVisible = stage.check(oldest?.stage == "awaiting callback", "in flight", text ?? "nothing")
        // Ends it, so that nothing is left over.
        _ = peer.callBackLate()
        return isWell && isVisible
    }

    /// How long it took until the deadline ended it; `nil` if something else did.
    private static func askWithDeadline(_ peer: SilentPeer, _ timers: TimerQueue) async -> Duration? {
        let begin = ContinuousClock.now
        do {
            try await timers.withDeadline(deadline) {
                let answer = ResumeOnce<Void>()
                peer.ask { answer.resume() }
                try await withTaskCancellationHandler {
                    try await answer.value()
                } onCancel: {
                    answer.resume(throwing: CancellationError())
                }
            }
        } catch is DeadlineExceeded {
            return ContinuousClock.now - begin
        } catch {}
        return nil
    }
}
