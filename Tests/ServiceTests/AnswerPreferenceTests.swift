import Testing

@testable import Service

@Suite struct AnswerPreferenceTests {
    /// Expected by RFC 9110 section 12.5.1, and, where it leaves the choice, by `docs/api.md`.
    @Test(arguments: [
        ([], false), (["*/*"], false), (["text/html"], false), (["application/json"], false),
        (["application/*"], false),
        (["application/octet-stream"], true), (["Application/Octet-Stream; Q=0.2"], true),
        (["application/octet-stream;q=0"], false), (["application/octet-stream;q=0", "*/*"], false),
        (["application/json", "application/octet-stream;q=0.1"], false),
        (["application/octet-stream;q=0.1", "application/json"], false),
        (["application/json;q=0.1", "application/octet-stream"], true),
        (["application/json", "application/octet-stream"], false),
        (["application/octet-stream", "application/json"], false),
        (["application/octet-stream", "*/*"], true), (["*/*;q=0.8", "application/octet-stream"], true),
        (["*/*", "application/octet-stream;q=0.8"], false),
        // The closest range counts, not the highest weight.
        (["application/json;q=0.5", "*/*"], true), (["application/*;q=0.5", "application/octet-stream;q=0.6"], true),
        (["application/octet-stream;q=nonsense"], true), (["application/octet-stream;q=7"], true),
    ])
    func theWeightsDecide(accept: [String], prefersBytes: Bool) {
        #expect(AnswerPreference(accept: accept).prefersBytes == prefersBytes)
    }

    @Test(arguments: [
        ([], false), (["*/*"], false), (["application/octet-stream"], true),
        (["application/octet-stream", "application/json;q=0.1"], false),
        (["application/octet-stream", "*/*"], false), (["application/json;q=0", "*/*"], true),
        (["text/html"], false), (["application/vnd.api+json"], false),
    ])
    func whetherJSONWillNotDoIsKnown(accept: [String], isForBytesAlone: Bool) {
        #expect(AnswerPreference(accept: accept).isForBytesAlone == isForBytesAlone)
    }
}
