/// Reads a `multipart/form-data` body (RFC 7578, RFC 2046 section 5.1) as it arrives: bytes in, events out.
///
/// Memory is bounded by the limits: at most one delimiter or header line is kept between two feeds, and data is handed
/// on at once. How the body was cut into pieces changes nothing but where `partData` is cut.
///
///     var parser = try MultipartParser(boundary: MultipartParser.boundary(inContentType: contentType))
///     for try await chunk in body {
///         for event in try parser.feed(chunk[...]) { … }
///     }
///     try parser.finish()
public struct MultipartParser: Sendable {
    private enum State {
        /// Before the first boundary; what stands there is ignored.
        case preamble
        case headers(MultipartHeaders, bytesSoFar: Int)
        /// At the empty line that ends the headers. Its line end may also be that of the delimiter, if there is no
        /// data at all.
        case emptyLine
        case data
        /// Behind the final boundary; what stands there is ignored.
        case epilogue
    }

    /// What the body may ask for.
    public let limits: MultipartLimits

    private let boundary: String
    private let delimiter: MultipartDelimiter
    private var state = State.preamble
    private var partsBegun = 0
    /// What could not be decided yet.
    private var pending: [UInt8]
    /// The first error; every later feed throws it again.
    private var failure: MultipartError?

    /// A parser at the start of a body.
    /// - Parameter boundary: as in the `Content-Type`, without the dashes that stand before it in the body.
    /// - Throws: `MultipartError.invalidBoundary`.
    public init(boundary: String, limits: MultipartLimits = MultipartLimits()) throws(MultipartError) {
        guard MultipartBoundary.isValid(boundary) else {
            throw .invalidBoundary(MultipartError.excerpt(boundary))
        }
        self.boundary = boundary
        self.limits = limits
        delimiter = MultipartDelimiter(boundary: boundary, maximumPadding: limits.maximumPaddingBytes)
        // The first boundary may be the very first line: then the line end that belongs to it is not sent.
        pending = Array("\r\n".utf8)
    }

    /// The boundary that a request's `Content-Type` names.
    /// - Throws: `notFormData`, `missingBoundaryParameter` or `invalidBoundary`.
    public static func boundary(inContentType contentType: String) throws(MultipartError) -> String {
        guard let mediaType = MediaType(contentType), mediaType.essence == "multipart/form-data" else {
            throw .notFormData(contentType: MultipartError.excerpt(contentType))
        }
        guard let boundary = mediaType[parameter: "boundary"] else { throw .missingBoundaryParameter }
        guard MultipartBoundary.isValid(boundary) else {
            throw .invalidBoundary(MultipartError.excerpt(boundary))
        }
        return boundary
    }

    /// Takes the next bytes of the body, as many as there are, and returns what they complete.
    ///
    /// Once it threw, the body is lost: every further call throws the same error.
    public mutating func feed(_ bytes: ArraySlice<UInt8>) throws(MultipartError) -> [MultipartEvent] {
        if let failure { throw failure }
        var input = pending.isEmpty ? bytes : pending[...] + bytes
        var events: [MultipartEvent] = []
        do {
            while try step(&input, &events) {}
        } catch {
            failure = error
            throw error
        }
        pending = Array(input)
        return events
    }

    /// Says that the body is over.
    /// - Throws: what `feed` threw, or that the final boundary is missing.
    public func finish() throws(MultipartError) {
        if let failure { throw failure }
        switch state {
        case .epilogue: return
        case .preamble: throw .boundaryNotFound(boundary: boundary)
        case .headers, .emptyLine, .data: throw .missingFinalBoundary(boundary: boundary, partsBegun: partsBegun)
        }
    }

    /// Does one thing with the front of the input. False if that takes more input.
    private mutating func step(
        _ input: inout ArraySlice<UInt8>, _ events: inout [MultipartEvent]
    ) throws(MultipartError) -> Bool {
        switch state {
        case .preamble: try skipPreamble(&input, &events)
        case .headers(let headers, let bytesSoFar): try takeHeaderLine(&input, &events, headers, bytesSoFar)
        case .emptyLine: try takeEmptyLine(&input, &events)
        case .data: try takeData(&input, &events)
        case .epilogue: skipEpilogue(&input)
        }
    }

    private mutating func skipPreamble(
        _ input: inout ArraySlice<UInt8>, _ events: inout [MultipartEvent]
    ) throws(MultipartError) -> Bool {
        switch delimiter.search(input) {
        case .dataUpTo(let end):
            input = input[end...]
            return false
        case .found(let position, let ending):
            try passDelimiter(at: position, ending, &input, &events)
            return true
        }
    }

    private mutating func takeHeaderLine(
        _ input: inout ArraySlice<UInt8>, _ events: inout [MultipartEvent], _ headers: MultipartHeaders,
        _ bytesSoFar: Int
    ) throws(MultipartError) -> Bool {
        let allowance = limits.maximumHeaderBytes - bytesSoFar
        guard let lineFeed = input.prefix(allowance).firstIndex(of: UInt8(ascii: "\n")) else {
            guard input.count < allowance else {
                throw .headersTooLarge(part: headers.part, limit: limits.maximumHeaderBytes)
            }
            return false
        }
        let line = input[..<lineFeed]
        guard line.last == UInt8(ascii: "\r") else { throw .bareLineFeed(part: headers.part) }
        if line.count == 1 {
            events.append(.partBegin(try headers.finished()))
            state = .emptyLine
        } else {
            var extended = headers
            try extended.add(line.dropLast())
            input = input[(lineFeed + 1)...]
            state = .headers(extended, bytesSoFar: bytesSoFar + line.count + 1)
        }
        return true
    }

    /// The input still begins with the empty line's CR LF.
    private mutating func takeEmptyLine(
        _ input: inout ArraySlice<UInt8>, _ events: inout [MultipartEvent]
    ) throws(MultipartError) -> Bool {
        switch delimiter.search(input.prefix(delimiter.decisiveLength)) {
        case .dataUpTo(let end) where end == input.startIndex:
            return false
        case .found(let position, let ending) where position == input.startIndex:
            events.append(.partEnd)
            try passDelimiter(at: position, ending, &input, &events)
        case .dataUpTo, .found:
            input = input.dropFirst(2)
            state = .data
        }
        return true
    }

    private mutating func takeData(
        _ input: inout ArraySlice<UInt8>, _ events: inout [MultipartEvent]
    ) throws(MultipartError) -> Bool {
        switch delimiter.search(input) {
        case .dataUpTo(let end):
            emitData(input[..<end], &events)
            input = input[end...]
            return false
        case .found(let position, let ending):
            emitData(input[..<position], &events)
            events.append(.partEnd)
            try passDelimiter(at: position, ending, &input, &events)
            return true
        }
    }

    private mutating func skipEpilogue(_ input: inout ArraySlice<UInt8>) -> Bool {
        input = []
        return false
    }

    private func emitData(_ data: ArraySlice<UInt8>, _ events: inout [MultipartEvent]) {
        if !data.isEmpty { events.append(.partData(data)) }
    }

    private mutating func passDelimiter(
        at position: Int, _ ending: MultipartDelimiter.Ending, _ input: inout ArraySlice<UInt8>,
        _ events: inout [MultipartEvent]
    ) throws(MultipartError) {
        let next = partsBegun + 1
        let behind = position + delimiter.bytes.count
        switch ending {
        case .nextPart(let length):
            guard next <= limits.maximumParts else { throw .tooManyParts(limit: limits.maximumParts) }
            partsBegun = next
            state = .headers(MultipartHeaders(part: next), bytesSoFar: 0)
            input = input[(behind + length)...]
        case .final(let length):
            events.append(.end)
            state = .epilogue
            input = input[(behind + length)...]
        case .bareLineFeed: throw .bareLineFeed(part: next)
        case .paddingTooLong: throw .paddingTooLong(part: next, limit: limits.maximumPaddingBytes)
        }
    }
}
