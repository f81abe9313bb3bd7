import HTTPWire
import Testing

@testable import Service

@Suite struct JobOptionsTests {
    private func items(_ query: String) throws -> [RequestTarget.QueryItem] {
        try #require(RequestTarget("/v1/jobs?\(query)", method: .post)).queryItems
    }

    @Test func theServiceMakesUpANameOfItsOwnEachTime() throws {
        let names = try (0..<100).map { _ in try JobOptions(query: items("")).id }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil })
    }

    @Test(arguments: ["nightly", "a.b", "...", "A-Z_0", String(repeating: "x", count: 128)])
    func aNameThatCanStandInAPathIsTaken(id: String) throws {
        #expect(try JobOptions(query: items("id=\(id)")).id == id)
    }

    @Test(arguments: [".", "..", "", "a%20b", "a%2Fb", "%C3%A4", String(repeating: "x", count: 129)])
    func aNameThatCanNotIsRefused(id: String) throws {
        let query = try items("id=\(id)")
        let error = #expect(throws: EmbedRequestError.self) { try JobOptions(query: query) }
        guard case .badParameter("id", _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func resultsAreWrittenAsAskedFor() throws {
        let options = try EmbedOptions(jobResults: items("model=m&normalize=true&dimensions=4&encoding=base64"))
        #expect(options.model == "m")
        #expect(options.normalize == true)
        #expect(options.dimensions == 4)
        #expect(options.encoding == .base64)
    }

    @Test(arguments: ["timeout_ms", "id", "priority"])
    func whatMakesNoSenseForResultsIsRefusedByName(name: String) throws {
        let query = try items("dimensions=4&\(name)=5")
        #expect(
            throws: EmbedRequestError.unknownParameter(
                name: name, known: ["model", "normalize", "dimensions", "encoding"])
        ) { try EmbedOptions(jobResults: query) }
    }
}
