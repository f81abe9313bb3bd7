import Analysis
import HTTPServer
import Threads

/// Writes the lines that answer a batch, and counts what they say. May be used by several tasks at once.
final class BatchLines: Sendable {
    private struct Counts {
        var ok = 0
        var failed = 0
    }

    private let answer: EmbedAnswer
    private let requestID: String
    private let problem: @Sendable (any Error) -> Problem
    private let counts = Locked(Counts())

    /// - Parameter problem: What the client is told of an error.
    init(answer: EmbedAnswer, requestID: String, problem: @escaping @Sendable (any Error) -> Problem) {
        self.answer = answer
        self.requestID = requestID
        self.problem = problem
    }

    /// The line of one picture: its position in the batch, its id, and its vector or what is wrong with it.
    func line(for outcome: ImageOutcome, at index: Int) -> [UInt8] {
        counts.withLock { counts in
            switch outcome.result {
            case .success: counts.ok += 1
            case .failure: counts.failed += 1
            }
        }
        return answer.line(of: outcome, index: index, problemJSON: problemJSON)
    }

    /// The last line: how many pictures there were, and why there are no more if the batch broke off.
    func lastLine(_ failure: (any Error)?) -> [UInt8] {
        let counts = counts.withLock { $0 }
        var json = JSONWriter()
        json.object { json in
            json.member("done", failure == nil)
            json.member("total", counts.ok + counts.failed)
            json.member("ok", counts.ok)
            json.member("failed", counts.failed)
            if let failure {
                json.key("error")
                json.raw(problemJSON(failure))
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private func problemJSON(_ error: any Error) -> [UInt8] {
        // Without its line feed.
        problem(error).json(typePrefix: Problem.typePrefix, instance: requestID).dropLast()
    }
}
