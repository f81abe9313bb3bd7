import HTTPWire
import Testing

struct MultipartLimitTests {
    private static let header = "Content-Disposition: form-data; name=a\r\n"

    @Test func exactlyTheAllowedNumberOfPartsPasses() throws {
        let harness = MultipartHarness(limits: MultipartLimits(maximumParts: 3))
        let part = "--XX\r\n\(Self.header)\r\n.\r\n"
        #expect(try harness.parts(String(repeating: part, count: 3) + "--XX--").count == 3)
        #expect(harness.error(String(repeating: part, count: 4) + "--XX--") == .tooManyParts(limit: 3))
        let many = String(repeating: part, count: 10_000)
        #expect(MultipartHarness().error(many) == .tooManyParts(limit: 1000))
    }

    @Test func exactlyTheAllowedHeaderBytesPass() throws {
        // The header lines and the empty line.
        let size = Self.header.utf8.count + 2
        let body = "--XX\r\n\(Self.header)\r\n.\r\n--XX--"
        let exact = MultipartHarness(limits: MultipartLimits(maximumHeaderBytes: size))
        #expect(try exact.parts(body).count == 1)
        let tight = MultipartHarness(limits: MultipartLimits(maximumHeaderBytes: size - 1))
        #expect(tight.error(body) == .headersTooLarge(part: 1, limit: size - 1))
    }

    @Test(arguments: ["x", "\r\nA: b"])
    func aHeaderBombIsRefusedEarly(repeated: String) throws {
        var parser = try MultipartParser(boundary: "XX")
        let body = Array("--XX\r\nA: \(String(repeating: repeated, count: 10_000))".utf8)
        #expect(throws: MultipartError.headersTooLarge(part: 1, limit: 8192)) {
            for piece in stride(from: 0, to: 10_000, by: 1000) { _ = try parser.feed(body[piece..<piece + 1000]) }
        }
    }

    @Test func exactlyTheAllowedPaddingPasses() throws {
        let harness = MultipartHarness(limits: MultipartLimits(maximumPaddingBytes: 3))
        #expect(try harness.parts("--XX \t \r\n\(Self.header)\r\n--XX--").count == 1)
        #expect(harness.error("--XX \t  \r\n\(Self.header)\r\n--XX--") == .paddingTooLong(part: 1, limit: 3))
    }

    @Test(arguments: [
        "a", String(repeating: "b", count: 70), "'()+_,-./:=?aZ09", "a b", "----WebKitFormBoundary7MA4YWxkTrZu0gW",
    ])
    func aLegalBoundaryWorks(boundary: String) throws {
        let harness = MultipartHarness(boundary: boundary)
        #expect(try harness.parts("--\(boundary)\r\n\(Self.header)\r\nx\r\n--\(boundary)--") == [WholePart("a", "x")])
        let contentType = "multipart/form-data; boundary=\"\(boundary)\""
        #expect(try MultipartParser.boundary(inContentType: contentType) == boundary)
    }

    @Test(arguments: ["", String(repeating: "b", count: 71), "a ", "a\r\nb", "a\"b", "ä", "a*b", "a\u{0}"])
    func anIllegalBoundaryIsRefused(boundary: String) {
        #expect(throws: MultipartError.invalidBoundary(boundary)) { try MultipartParser(boundary: boundary) }
    }

    @Test(arguments: [
        ("multipart/form-data", MultipartError.missingBoundaryParameter),
        ("multipart/form-data; boundary=\"\"", .invalidBoundary("")),
        ("multipart/form-data; boundary=\"a \"", .invalidBoundary("a ")),
        ("multipart/mixed; boundary=a", .notFormData(contentType: "multipart/mixed; boundary=a")),
        ("multipart/form-data; boundary=a b", .notFormData(contentType: "multipart/form-data; boundary=a b")),
        ("", .notFormData(contentType: "")),
    ])
    func aContentTypeWithoutABoundaryIsRefused(contentType: String, expected: MultipartError) {
        #expect(throws: expected) { try MultipartParser.boundary(inContentType: contentType) }
    }
}
