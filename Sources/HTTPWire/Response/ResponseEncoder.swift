/// Writes responses as bytes (RFC 9112 section 4), no I/O.
public enum ResponseEncoder {
    /// The interim response that lets a client send its body.
    public static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// What ends a chunked body: the last chunk and an empty trailer section.
    public static let lastChunk = Array("0\r\n\r\n".utf8)

    /// Fields that belong to the connection or its framing. What a handler says about them is left out, so that there
    /// is one voice.
    private static let reservedFields: [HTTPFieldName] = [
        .connection, .contentLength, .date, .keepAlive, .transferEncoding,
    ]

    /// Appends the status line, the fields and the empty line.
    /// - Parameters:
    ///   - version: The client's version; the answer is HTTP/1.1 in any case (RFC 9110 section 2.5).
    ///   - persists: Whether the connection lives on after this response.
    ///   - date: The value of the Date field.
    public static func appendHead(
        status: HTTPStatus, fields: HTTPFields, framing: ResponseFraming, version: HTTPVersion, persists: Bool,
        date: String, to output: inout [UInt8]
    ) {
        append("HTTP/1.1 ", to: &output)
        appendDecimal(status.code, to: &output)
        append(" ", to: &output)
        append(status.reasonPhrase, to: &output)
        append("\r\nDate: ", to: &output)
        append(date, to: &output)
        append("\r\n", to: &output)
        fields.encode(into: &output, omitting: reservedFields)
        appendFraming(framing, to: &output)
        if !persists {
            append("Connection: close\r\n", to: &output)
        } else if version == .http10 {
            append("Connection: keep-alive\r\n", to: &output)
        }
        append("\r\n", to: &output)
    }

    /// Appends one chunk; nothing for empty content, which would end the body.
    public static func appendChunk(_ content: [UInt8], to output: inout [UInt8]) {
        guard !content.isEmpty else { return }
        append(String(content.count, radix: 16), to: &output)
        append("\r\n", to: &output)
        output.append(contentsOf: content)
        append("\r\n", to: &output)
    }

    private static func appendFraming(_ framing: ResponseFraming, to output: inout [UInt8]) {
        switch framing {
        case .length(let length, _):
            append("Content-Length: ", to: &output)
            appendDecimal(length, to: &output)
            append("\r\n", to: &output)
        case .chunked:
            append("Transfer-Encoding: chunked\r\n", to: &output)
        case .noContent, .untilClose:
            break
        }
    }

    private static func append(_ text: String, to output: inout [UInt8]) {
        output.append(contentsOf: text.utf8)
    }

    private static func appendDecimal(_ number: Int, to output: inout [UInt8]) {
        append(String(number), to: &output)
    }
}
