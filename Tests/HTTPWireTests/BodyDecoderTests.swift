import HTTPWire
import Testing

@Suite struct BodyDecoderTests {
    @Test func takesExactlyTheAnnouncedLength() {
        for split in everySplit(of: bytes("HelloGET")) {
            #expect(decode(split, framing: .length(5)) == DecodeOutcome(data: bytes("Hello"), rest: bytes("GET")))
        }
        #expect(decode([bytes("Hel")], framing: .length(5)) == DecodeOutcome(data: bytes("Hel")))
        #expect(decode([bytes("GET")], framing: .none) == DecodeOutcome(rest: bytes("GET")))
    }

    @Test func refusesALengthOverTheLimitBeforeAnyByte() {
        #expect(decode([], framing: .length(11), limit: 10).error == .tooLarge(limit: 10))
        #expect(decode([], framing: .length(10), limit: 10).error == nil)
    }

    @Test func tellsWhatIsLeft() throws {
        var decoder = try BodyDecoder(framing: .length(5), limit: 5)
        #expect(decoder.remaining == 5)
        _ = try decoder.next(bytes("ab").span, from: 0)
        #expect(decoder.remaining == 3)
        #expect(try BodyDecoder(framing: .chunked, limit: 5).remaining == nil)
    }

    @Test(arguments: [
        ("5\r\nHello\r\n0\r\n\r\n", "Hello"), ("3\r\nHel\r\n002\r\nlo\r\n000\r\n\r\n", "Hello"),
        ("A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789"), ("0\r\n\r\n", ""),
        ("5;a=b;c=\"d e\"\r\nHello\r\n0;x\r\n\r\n", "Hello"), ("5 \t;a\r\nHello\r\n0\r\n\r\n", "Hello"),
        ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"), ("5\r\nHello\r\n0\r\nTrailer: x\r\nOther:\r\n\r\n", "Hello"),
    ])
    func decodesChunks(input: String, data: String) {
        for split in everySplit(of: bytes(input + "GET")) {
            #expect(decode(split) == DecodeOutcome(data: bytes(data), rest: bytes("GET")))
        }
    }

    @Test(arguments: [
        ("\r\n", BodyDecodingError.invalidChunkSize), ("+5\r\n", .invalidChunkSize), ("-5\r\n", .invalidChunkSize),
        ("0x5\r\n", .invalidChunkSize), ("5h\r\n", .invalidChunkSize), (" 5\r\n", .invalidChunkSize),
        ("5 \r\nHello", .invalidChunkSize), ("5\n", .invalidChunkSize), (";a\r\n", .invalidChunkSize),
        ("0000000000000005\r\n", .invalidChunkSize), ("FFFFFFFFFFFFFFFF\r\n", .invalidChunkSize),
        ("5\rHello", .malformedChunk), ("5;a\u{0}\r\n", .malformedChunk), ("5;a\nHello", .malformedChunk),
        ("5\r\nHello0\r\n", .malformedChunk), ("5\r\nHello\n0\r\n", .malformedChunk),
        ("5\r\nHello\r0\r\n", .malformedChunk), ("0\r\nno colon\r\n\r\n", .malformedTrailer),
        ("0\r\n folded: a\r\n\r\n", .malformedTrailer), ("0\r\na: b\n\r\n", .malformedTrailer),
        ("0\r\n\rx", .malformedTrailer),
    ])
    func refusesChunks(input: String, error: BodyDecodingError) {
        for split in everySplit(of: bytes(input)) {
            let outcome = decode(split)
            #expect(outcome.error == error)
            #expect(outcome.rest == nil)
        }
    }

    @Test func countsChunksAgainstTheLimitWhenTheirSizeIsRead() {
        for split in everySplit(of: bytes("5\r\nHello\r\n6\r\n")) {
            #expect(decode(split, limit: 10) == DecodeOutcome(data: bytes("Hello"), error: .tooLarge(limit: 10)))
        }
        #expect(decode([bytes("5\r\nHello\r\n5\r\nworld\r\n0\r\n\r\n")], limit: 10).data == bytes("Helloworld"))
    }

    @Test func capsExtensionsOverTheWholeBody() {
        let chunk = "1;" + String(repeating: "x", count: 1000) + "\r\na\r\n"
        let outcome = decode([bytes(String(repeating: chunk, count: 20))])
        #expect(outcome.error == .chunkExtensionsTooLarge)
        #expect(outcome.data.count == 16)
    }

    @Test func capsTrailers() {
        let line = "X: " + String(repeating: "x", count: 1000) + "\r\n"
        #expect(decode([bytes("0\r\n" + String(repeating: line, count: 20))]).error == .trailersTooLarge)
    }

    @Test func mapsErrorsToStatus() {
        #expect(BodyDecodingError.tooLarge(limit: 1).status == .contentTooLarge)
        #expect(BodyDecodingError.invalidChunkSize.status == .badRequest)
    }
}
