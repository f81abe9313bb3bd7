/// A request line (RFC 9112 section 3): `method SP request-target SP HTTP-version`.
struct RequestLine {
    let method: HTTPMethod
    let target: RequestTarget
    let version: HTTPVersion

    /// Reads the line, which comes without its CRLF and without control characters.
    init(_ line: ArraySlice<UInt8>) throws(RequestError) {
        guard let firstSpace = line.firstIndex(of: ASCII.space),
            let lastSpace = line.lastIndex(of: ASCII.space), firstSpace < lastSpace
        else { throw .malformedRequestLine }
        let name = line[..<firstSpace]
        let targetBytes = line[(firstSpace + 1)..<lastSpace]
        guard !name.isEmpty, name.allSatisfy(ASCII.isToken), !targetBytes.contains(ASCII.space), !targetBytes.isEmpty
        else { throw .malformedRequestLine }

        // The version comes first: an HTTP/2 preface shall hear of its version, not of its target.
        version = try Self.version(line[(lastSpace + 1)...])
        method = HTTPMethod(uncheckedName: String(decoding: name, as: UTF8.self))
        guard let target = RequestTarget(String(decoding: targetBytes, as: UTF8.self), method: method) else {
            throw .invalidTarget
        }
        self.target = target
    }

    private static func version(_ bytes: ArraySlice<UInt8>) throws(RequestError) -> HTTPVersion {
        let start = bytes.startIndex
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), ASCII.isDigit(bytes[start + 5]),
            bytes[start + 6] == ASCII.dot, ASCII.isDigit(bytes[start + 7])
        else { throw .malformedRequestLine }
        guard bytes[start + 5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
        return bytes[start + 7] == ASCII.zero ? .http10 : .http11
    }
}
