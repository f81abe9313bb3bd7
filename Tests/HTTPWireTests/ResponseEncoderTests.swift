import HTTPWire
import Testing

@Suite struct ResponseEncoderTests {
    private func head(
        _ status: HTTPStatus = .ok, fields: HTTPFields = [:], length: Int?, method: HTTPMethod = .get,
        version: HTTPVersion = .http11, persists: Bool = true
    ) -> String {
        var output: [UInt8] = []
        ResponseEncoder.appendHead(
            status: status, fields: fields,
            framing: ResponseFraming(status: status, contentLength: length, method: method, version: version),
            version: version, persists: persists, date: "D", to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func writesALength() {
        #expect(
            head(fields: ["Content-Type": "a/b"], length: 3)
                == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Type: a/b\r\nContent-Length: 3\r\n\r\n")
    }

    @Test func writesChunkedWhereTheLengthIsUnknown() {
        #expect(head(length: nil) == "HTTP/1.1 200 OK\r\nDate: D\r\nTransfer-Encoding: chunked\r\n\r\n")
    }

    @Test func endsAnUnknownLengthWithTheConnectionForHTTP10() {
        #expect(
            head(length: nil, version: .http10, persists: false)
                == "HTTP/1.1 200 OK\r\nDate: D\r\nConnection: close\r\n\r\n")
        let framing = ResponseFraming(status: .ok, contentLength: nil, method: .get, version: .http10)
        #expect(!framing.allowsPersistence)
    }

    @Test func thereIsOneVoiceAboutFramingAndConnection() {
        let fields: HTTPFields = [
            "content-length": "9", "Transfer-Encoding": "chunked", "Connection": "x", "Date": "y", "Keep-Alive": "z",
        ]
        #expect(head(fields: fields, length: 0) == "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 0\r\n\r\n")
    }

    @Test(arguments: [HTTPStatus.noContent, .notModified])
    func writesNoLengthWhereThereIsNoContent(status: HTTPStatus) {
        #expect(!head(status, length: 0).contains("Length"))
        #expect(!ResponseFraming(status: status, contentLength: 5, method: .get, version: .http11).sendsContent)
    }

    @Test func headGetsTheSameFieldsAndNoContent() {
        #expect(head(length: 7, method: .head) == head(length: 7))
        #expect(!ResponseFraming(status: .ok, contentLength: 7, method: .head, version: .http11).sendsContent)
        #expect(head(length: nil, method: .head) == head(length: nil))
        #expect(!ResponseFraming(status: .ok, contentLength: nil, method: .head, version: .http11).sendsContent)
    }

    @Test func saysWhatBecomesOfTheConnection() {
        #expect(head(length: 0, persists: false).contains("\r\nConnection: close\r\n"))
        #expect(head(length: 0, version: .http10).contains("\r\nConnection: keep-alive\r\n"))
        #expect(!head(length: 0).contains("Connection"))
    }

    @Test func writesChunks() {
        var output: [UInt8] = []
        ResponseEncoder.appendChunk([UInt8](repeating: 65, count: 26), to: &output)
        ResponseEncoder.appendChunk([], to: &output)
        output += ResponseEncoder.lastChunk
        #expect(String(decoding: output, as: UTF8.self) == "1a\r\n\(String(repeating: "A", count: 26))\r\n0\r\n\r\n")
    }

    @Test(arguments: [
        // RFC 9110 section 5.6.7, then values of `date -u -R -d @…`.
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"),
    ])
    func writesDates(seconds: Int, text: String) {
        #expect(HTTPDate.format(secondsSinceEpoch: seconds) == text)
    }
}
