/// What a request's fields mean for its framing and its connection. Strict: whatever two recipients could understand
/// differently is refused, since that is how requests are smuggled.
enum RequestSemantics {
    static func head(_ line: RequestLine, _ fields: HTTPFields) throws(RequestError) -> RequestHead {
        try checkHost(line, fields)
        let framing = try bodyFraming(line, fields)
        return RequestHead(
            method: line.method, target: line.target, version: line.version, fields: fields, bodyFraming: framing,
            expectsContinue: try expectsContinue(line, fields, framing),
            allowsPersistence: allowsPersistence(line, fields))
    }

    /// RFC 9112 section 3.2: exactly one Host in HTTP/1.1, a host and perhaps a port. An empty one is allowed.
    private static func checkHost(_ line: RequestLine, _ fields: HTTPFields) throws(RequestError) {
        switch fields.count(.host) {
        case 0:
            guard line.version == .http10 else { throw .missingHost }
        case 1:
            guard let host = fields.firstValue(.host), host.isEmpty || Authority.isValid(host) else {
                throw .invalidHost
            }
        default:
            throw .repeatedHost
        }
    }

    /// RFC 9112 section 6.3.
    private static func bodyFraming(_ line: RequestLine, _ fields: HTTPFields) throws(RequestError) -> BodyFraming {
        let lengths = fields.count(.contentLength)
        let codings = fields.count(.transferEncoding)
        if codings > 0 {
            guard lengths == 0 else { throw .conflictingFraming }
            guard codings == 1, line.version == .http11, let coding = fields.firstValue(.transferEncoding),
                equalsWithoutCase(coding, "chunked")
            else { throw .unsupportedTransferEncoding }
            return .chunked
        }
        guard lengths > 0 else { return .none }
        guard lengths == 1, let digits = fields.firstValue(.contentLength), let length = decimal(digits) else {
            throw .invalidContentLength
        }
        return length == 0 ? .none : .length(length)
    }

    /// RFC 9110 section 10.1.1: ignored in HTTP/1.0, and pointless without a body.
    private static func expectsContinue(
        _ line: RequestLine, _ fields: HTTPFields, _ framing: BodyFraming
    ) throws(RequestError) -> Bool {
        guard line.version == .http11, let expectation = fields.firstValue(.expect) else { return false }
        guard fields.count(.expect) == 1, equalsWithoutCase(expectation, "100-continue") else {
            throw .unknownExpectation
        }
        return framing != .none
    }

    /// RFC 9112 section 9.3.
    private static func allowsPersistence(_ line: RequestLine, _ fields: HTTPFields) -> Bool {
        let options = fields.listElements(.connection)
        if options.contains(where: { equalsWithoutCase($0.utf8, "close") }) { return false }
        return line.version == .http11 || options.contains { equalsWithoutCase($0.utf8, "keep-alive") }
    }

    /// `1*DIGIT`, nothing else; more digits than 18 could overflow and mean nothing real.
    private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...18).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }

    private static func equalsWithoutCase(_ bytes: some Collection<UInt8>, _ lowercase: String) -> Bool {
        bytes.elementsEqual(lowercase.utf8) { ASCII.lowercased($0) == $1 }
    }
}
