import HTTPWire
import Testing

struct MultipartHeaderTests {
    private let harness = MultipartHarness()

    private func part(_ headers: String...) throws -> MultipartPart? {
        try harness.parts("--XX\r\n\(headers.map { $0 + "\r\n" }.joined())\r\n.\r\n--XX--").first?.head
    }

    private func error(_ headers: String...) -> MultipartError? {
        harness.error("--XX\r\n\(headers.map { $0 + "\r\n" }.joined())\r\n.\r\n--XX--")
    }

    @Test(arguments: [
        (#"filename="a b.jpg""#, "a b.jpg"),
        ("filename=a.jpg", "a.jpg"),
        (#"FileName="""#, ""),
        // curl before 7.81, and other clients that follow RFC 2616.
        (#"filename="a\"b\\c.jpg""#, #"a"b\c.jpg"#),
        // Browsers and newer curl.
        (#"filename="a%22b%0D%0Ac%25%20.jpg""#, "a\"b\r\nc%25%20.jpg"),
        (#"filename="%2"; x=y"#, "%2"),
        // Old browsers on Windows.
        (#"filename="C:\cats\a.jpg""#, #"C:\cats\a.jpg"#),
        ("filename=\"Größe 猫.jpg\"", "Größe 猫.jpg"),
        ("filename=\"a;b=c.jpg\"", "a;b=c.jpg"),
        // RFC 8187's own example.
        ("filename*=UTF-8''%c2%a3%20and%20%e2%82%ac%20rates", "£ and € rates"),
        ("filename=\"plain\"; filename*=utf-8'en'f%C3%BCr", "für"),
    ])
    func filenamesAreReadAsClientsWriteThem(parameter: String, expected: String) throws {
        let part = try part("Content-Disposition: form-data; name=\"f\"; \(parameter)")
        #expect(part == MultipartPart(name: "f", filename: expected))
    }

    @Test func aNameIsDecodedLikeAFilename() throws {
        #expect(try part(#"Content-Disposition: form-data; name="a%22\"""#) == MultipartPart(name: "a\"\""))
        #expect(try part(#"Content-Disposition: FORM-DATA ; name="""#) == MultipartPart(name: ""))
    }

    @Test func otherHeadersAreIgnoredAndTheTypeIsKept() throws {
        let part = try part(
            "X-Any: \"", "CONTENT-TYPE: \t image/png; a=b \t", "Content-Transfer-Encoding: Binary", "Content-Length:",
            "content-disposition: form-data; name=f")
        #expect(part == MultipartPart(name: "f", contentType: "image/png; a=b"))
    }

    @Test(arguments: [
        "attachment; name=a", "form-data", "form-data; filename=a", "form-data name=a", "form-data; name=\"a",
        "form-data; name=a; name=b", "form-data; name", "", "form-data; name=a; filename*=latin1''x",
        "form-data; name=a; filename*=UTF-8''%F", "form-data; name=a; filename*=UTF-8''%FF",
        "form-data; name=a; filename*=UTF-8''%+1", "form-data; name=a; filename*=x",
    ])
    func anUnreadableDispositionIsRepeated(value: String) {
        #expect(
            error("Content-Disposition: \(value)") == .invalidContentDisposition(part: 1, value: value))
    }

    @Test(arguments: [
        "no colon", "Content-Disposition : form-data; name=a", ": x", " folded: x", "\tx", "A: b\u{0}c", "A: b\rc",
        "A: b\u{1B}c", "Ä: b", "A\u{7F}: b",
    ])
    func aMalformedLineIsRepeated(line: String) {
        #expect(
            error("Content-Disposition: form-data; name=a", line) == .malformedHeader(part: 1, line: line))
    }

    @Test func everyHeaderFaultHasAnErrorOfItsOwn() {
        #expect(error() == .missingContentDisposition(part: 1))
        #expect(error("Content-Type: image/png") == .missingContentDisposition(part: 1))
        let disposition = "Content-Disposition: form-data; name=a"
        #expect(error(disposition, disposition) == .repeatedHeader(part: 1, name: "Content-Disposition"))
        #expect(
            error(disposition, "content-type: a/b", "content-type: a/b")
                == .repeatedHeader(part: 1, name: "Content-Type"))
        #expect(
            error(disposition, "Content-Transfer-Encoding: BASE64")
                == .unsupportedTransferEncoding(part: 1, value: "BASE64"))
    }

    @Test func aLongTextOfTheClientIsShortened() {
        let long = String(repeating: "x", count: 500)
        #expect(error(long) == .malformedHeader(part: 1, line: long.prefix(100) + "…"))
    }

    @Test func everyErrorSaysWhereAndWhat() {
        let text = String(describing: MultipartError.missingFinalBoundary(boundary: "XX", partsBegun: 3))
        #expect(text == "the body ends in part 3, before the final line --XX--")
    }
}
