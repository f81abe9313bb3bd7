import HTTPWire
import Testing

/// Ours beside h11, on the same bytes.
@Suite(.timeLimit(.minutes(5))) struct DifferentialTests {
    private static let mutations = 5_000

    @Test func everyDifferenceFromH11HasAReason() async throws {
        var mutator = RequestMutator(seed: 9_112)
        let requests =
            RequestMutator.valid.map { Array($0.utf8) } + (0..<Self.mutations).map { _ in mutator.next() }
        let answers = try await H11.answers(to: requests)
        try #require(answers.count == requests.count)

        var same = 0
        var explained: [String: Int] = [:]
        for (request, answer) in zip(requests, answers) {
            let verdict = Verdict(request)
            if Self.agree(verdict, answer) {
                same += 1
            } else if let rule = DifferenceRule.all.first(where: { $0.applies(request, verdict, answer) }) {
                explained[rule.reason, default: 0] += 1
            } else {
                Issue.record(
                    "\(String(reflecting: String(decoding: request, as: UTF8.self)))\nours: \(verdict)\nh11: \(answer)")
            }
        }
        // Both sides have to be met often, or the cases prove nothing.
        #expect(same > requests.count / 2)
        #expect(answers.count { $0.verdict == "accept" } > requests.count / 10)
        // A rule that explains nothing is out of date.
        for rule in DifferenceRule.all {
            #expect(explained[rule.reason] != nil, "unused: \(rule.reason)")
        }
    }

    /// The good requests are good to both.
    @Test func h11AcceptsTheValidRequests() async throws {
        let requests = RequestMutator.valid.map { Array($0.utf8) }
        for (request, answer) in zip(requests, try await H11.answers(to: requests)) {
            #expect(answer.message != nil)
            #expect(Self.agree(Verdict(request), answer), "\(String(decoding: request, as: UTF8.self))")
        }
    }

    private static func agree(_ ours: Verdict, _ theirs: H11.Answer) -> Bool {
        switch ours {
        case .accept(let message): theirs.message.map { equal(message, $0) } ?? false
        case .refuse: theirs.verdict == "refuse"
        case .incomplete: theirs.verdict == "incomplete"
        }
    }

    /// h11 hands the coding on in lower case.
    private static func equal(_ ours: Verdict.Message, _ theirs: Verdict.Message) -> Bool {
        var ours = ours
        ours.headers = ours.headers.map { $0[0] == "transfer-encoding" ? [$0[0], $0[1].lowercased()] : $0 }
        return ours == theirs
    }
}
