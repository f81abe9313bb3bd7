import Scheduling

/// `Data(contentsOf:)`, a synchronous database driver, a C library that talks to a server: a call that looks like any
/// other, in each of many tasks. `await` nowhere, so nothing tells that the thread is asleep.
enum BlockingFetch {
    static func show(on stage: Stage) throws -> Bool {
        let port = try SlowServer().port
        let tasks = 2 * stage.poolWidth
        stage.title("1. A blocking fetch in every task")

        stage.form("naive: \(tasks) tasks read from a slow server, on the pool's own threads")
        let isDiagnosed = stage.starve(culprit: "fetch(from:)") {
            for _ in 0..<tasks {
                Task.detached { fetch(from: port) }
            }
        }

        stage.form("cured: the same on the \(tasks) threads of a Lane, which only suspends the tasks")
        let lane = try Lane(name: "fetch", threads: tasks)
        let (answers, isWell) = stage.watch {
            await withTaskGroup(of: String?.self) { group in
                for _ in 0..<tasks {
                    group.addTask { try? await lane.run { _ in fetch(from: port) } }
                }
                return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
        }
        stage.say("fetched", "\(answers.count) answers")
        return isDiagnosed && isWell && answers.count == tasks
    }

    @discardableResult
    private static func fetch(from port: Int) -> String {
        // A result that is used after the call keeps this function on the stack; see the limits in docs/pool-health.md.
        let answer = Loopback.exchange("a question", port: port)
        return answer
    }
}
