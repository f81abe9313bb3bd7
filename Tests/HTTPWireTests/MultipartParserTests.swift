import HTTPWire
import Testing

struct MultipartParserTests {
    private let harness = MultipartHarness()

    private static let fileAndField =
        "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
        + "\u{FF}data\r\n--XX\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhi\r\n--XX--\r\n"

    @Test func aFileAndAFieldComeInOrder() throws {
        #expect(
            try harness.parts(Self.fileAndField) == [
                WholePart("file", filename: "a.jpg", type: "image/jpeg", "\u{FF}data"), WholePart("note", "hi"),
            ])
    }

    /// Preamble, padding, data full of what looks like a boundary, empty parts in both forms, an epilogue.
    private static let tricky =
        "preamble\r\n--XY\r\n--X\r\n\r\n--XX \t\r\nContent-Disposition: form-data; name=a\r\nX-Other: 1\r\n\r\n"
        + "\r\n--XXX\r\n--X\r\n--XX-\r\n--XX x\r\n--XX \r.\r\r\n\r\n--\r\n-\n--XX\n--XX--\r\r\n--XX\r\n"
        + "content-disposition:form-data;name=\"b\"\r\n\r\n\r\n--XX\r\n"
        + "Content-Disposition: form-data; name=\"c\"\r\n\r\n--XX\t\r\n"
        + "Content-Disposition: form-data; name=\"d\"\r\n\r\n\r\n\r\n\r\n--XX--epilogue\r\n--XX\r\nno header\r\n"
    private static let trickyParts = [
        WholePart("a", "\r\n--XXX\r\n--X\r\n--XX-\r\n--XX x\r\n--XX \r.\r\r\n\r\n--\r\n-\n--XX\n--XX--\r"),
        WholePart("b"), WholePart("c"), WholePart("d", "\r\n\r\n"),
    ]

    @Test func whatLooksLikeABoundaryIsData() throws {
        #expect(try harness.parts(Self.tricky) == Self.trickyParts)
    }

    @Test func aCutAnywhereChangesNothing() throws {
        let body = Array(Self.tricky.utf8)
        for cut in body.indices {
            let parts = try harness.parts(pieces: [body[..<cut], body[cut...]])
            #expect(parts == Self.trickyParts, "cut at \(cut)")
        }
    }

    @Test(arguments: 1...9)
    func piecesOfAnyLengthChangeNothing(length: Int) throws {
        let body = Array(Self.tricky.utf8)
        let pieces = stride(from: 0, to: body.count, by: length).map { body[$0..<min($0 + length, body.count)] }
        #expect(try harness.parts(pieces: pieces) == Self.trickyParts)
    }

    @Test func aCutAnywhereGivesTheSameError() {
        let bodies = [
            "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\ndata\r\n--XX\n",
            "--XX\r\nContent-Disposition: form-data\r\n\r\n", "--XX\r\nA: b\nC: d\r\n",
            "--XX" + String(repeating: " ", count: 65),
        ]
        for text in bodies {
            let body = Array(text.utf8)
            let whole = harness.error(pieces: [body[...]])
            for cut in body.indices {
                #expect(harness.error(pieces: [body[..<cut], body[cut...]]) == whole, "cut at \(cut) of \(text)")
            }
        }
    }

    @Test func dataIsHandedOnAtOnce() throws {
        var parser = try MultipartParser(boundary: "XX")
        _ = try parser.feed(Array("--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n".utf8)[...])
        #expect(try parser.feed(Array("abc\r\n-".utf8)[...]) == [.partData(Array("abc".utf8)[...])])
        #expect(try parser.feed(Array("d".utf8)[...]) == [.partData(Array("\r\n-d".utf8)[...])])
        #expect(try parser.feed(Array("\r\n--XX--".utf8)[...]) == [.partEnd, .end])
        try parser.finish()
    }

    @Test func everyByteValuePassesUnchanged() throws {
        let data = (0..<4).flatMap { _ in Array(UInt8.min...UInt8.max) }
        let body =
            Array("--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n".utf8) + data + Array("\r\n--XX--".utf8)
        #expect(try harness.parts(pieces: [body[...]]).map(\.data) == [data])
    }

    @Test func noPartsAtAllAreAnEmptyForm() throws {
        #expect(try harness.parts("--XX--\r\n") == [])
    }

    @Test(arguments: [
        ("", MultipartError.boundaryNotFound(boundary: "XX")),
        ("no boundary", .boundaryNotFound(boundary: "XX")),
        ("\n--XX\nA", .boundaryNotFound(boundary: "XX")),
        ("--XX\r\n", .missingFinalBoundary(boundary: "XX", partsBegun: 1)),
        (
            "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\ndata\r\n--XX",
            .missingFinalBoundary(boundary: "XX", partsBegun: 1)
        ),
        (
            "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n",
            .missingFinalBoundary(boundary: "XX", partsBegun: 1)
        ),
        ("--XX\nContent-Disposition: form-data; name=a\n\ndata\n--XX--\n", .bareLineFeed(part: 1)),
        ("--XX\r\nContent-Disposition: form-data; name=a\n\ndata\n--XX--\n", .bareLineFeed(part: 1)),
        ("--XX\r\nContent-Disposition: form-data; name=a\r\n\ndata", .bareLineFeed(part: 1)),
    ])
    func aBrokenFrameIsNamed(body: String, expected: MultipartError) {
        #expect(harness.error(body) == expected)
    }

    @Test func afterAnErrorTheParserStaysFailed() throws {
        var parser = try MultipartParser(boundary: "XX")
        #expect(throws: MultipartError.bareLineFeed(part: 1)) { try parser.feed(Array("--XX\n".utf8)[...]) }
        #expect(throws: MultipartError.bareLineFeed(part: 1)) { try parser.feed(Array("--XX--".utf8)[...]) }
        #expect(throws: MultipartError.bareLineFeed(part: 1)) { try parser.finish() }
    }
}
