import HTTPWire
import Testing

@testable import Service

@Suite struct EmbedOptionsTests {
    private func options(_ query: String) throws -> EmbedOptions {
        let target = try #require(RequestTarget("/v1/embed?\(query)", method: .post))
        return try EmbedOptions(query: target.queryItems)
    }

    @Test func nothingAskedForGivesTheDefaults() throws {
        let options = try options("")
        #expect(options.model == nil)
        #expect(options.normalize == nil)
        #expect(options.dimensions == nil)
        #expect(options.encoding == .float)
        #expect(options.timeout == nil)
        #expect(options.id == nil)
    }

    @Test func everyParameterIsRead() throws {
        let options = try options("model=m&normalize=false&dimensions=64&encoding=base64&timeout_ms=1500&id=a%20b")
        #expect(options.model == "m")
        #expect(options.normalize == false)
        #expect(options.dimensions == 64)
        #expect(options.encoding == .base64)
        #expect(options.timeout == .milliseconds(1500))
        #expect(options.id == "a b")
    }

    @Test(arguments: [
        "normalize=1", "normalize=", "dimensions=0", "dimensions=-1", "dimensions=1.5", "encoding=FLOAT",
        "timeout_ms=0", "timeout_ms=-1", "timeout_ms=3600001", "timeout_ms=99999999999999999999", "id=1&id=2",
        "id=\(String(repeating: "x", count: 1025))",
    ])
    func aValueThatIsNotAllowedIsRefusedByName(query: String) throws {
        let error = #expect(throws: EmbedRequestError.self) { try options(query) }
        guard case .badParameter(let name, _, let allowed) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(query.hasPrefix(name + "="))
        #expect(!allowed.isEmpty)
    }

    @Test func aParameterThatDoesNotExistIsRefused() throws {
        let error = #expect(throws: EmbedRequestError.self) { try options("normalise=false") }
        guard case .unknownParameter("normalise", let known) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(known.contains("normalize"))
    }
}
