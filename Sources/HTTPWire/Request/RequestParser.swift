/// Turns bytes into request heads: bytes in, at most one head out, no I/O.
///
///     beforeRequestLine --CRLF--> beforeRequestLine        (a few empty lines are forgiven)
///     beforeRequestLine --line--> fields                   or 400, 414, 505
///     fields --line--> fields                              or 400, 431
///     fields --CRLF--> a head; beforeRequestLine           or 400, 417
///
/// Every line ends with CRLF and holds no control character; the first byte that breaks this is the last one looked at.
/// How the input is cut into pieces never changes the result. A parser that has thrown is used up.
public struct RequestParser: Sendable {
    /// What one piece of input led to.
    public struct Progress: Sendable {
        /// Index in the input behind the last byte that was taken. Below the input's end only if a head is complete.
        public let end: Int
        /// The head that was completed.
        public let head: RequestHead?
    }

    private let limits: RequestLimits
    /// The head's lines so far, one after the other without their CRLFs; becomes the fields' storage.
    private var bytes: [UInt8] = []
    private var lineStart = 0
    private var requestLine: RequestLine?
    private var fieldSectionStart = 0
    private var entries: [HTTPFields.Entry] = []
    private var emptyLines = 0
    private var carriageReturnSeen = false

    /// Makes a parser that waits for a request line.
    public init(limits: RequestLimits = RequestLimits()) {
        self.limits = limits
    }

    /// Whether no byte of a request has been taken: a connection closed now loses nothing.
    public var isIdle: Bool {
        bytes.isEmpty && emptyLines == 0 && !carriageReturnSeen
    }

    /// Takes bytes from `start` on, up to the end of a head or of the input.
    public mutating func parse(_ input: Span<UInt8>, from start: Int = 0) throws(RequestError) -> Progress {
        var position = start
        while position < input.count {
            if carriageReturnSeen {
                guard input[position] == ASCII.lineFeed else { throw .bareLineEnding }
                carriageReturnSeen = false
                position += 1
                if let head = try endLine() {
                    return Progress(end: position, head: head)
                }
                continue
            }
            position = try takeLine(input, from: position)
        }
        return Progress(end: position, head: nil)
    }

    /// Takes bytes up to a CR; returns the index behind the last one taken.
    private mutating func takeLine(_ input: Span<UInt8>, from start: Int) throws(RequestError) -> Int {
        let end = min(input.count, start + allowance)
        var position = start
        while position < end, ASCII.isFieldContent(input[position]) {
            position += 1
        }
        if requestLine == nil, bytes.isEmpty, position > start, !ASCII.isToken(input[start]) {
            throw .malformedRequestLine
        }
        bytes.append(input.extracting(start..<position))
        guard position < input.count else { return position }
        switch input[position] {
        case ASCII.carriageReturn:
            carriageReturnSeen = true
            return position + 1
        case ASCII.lineFeed:
            throw .bareLineEnding
        case let byte where ASCII.isFieldContent(byte):
            throw requestLine == nil
                ? .requestLineTooLong(limit: limits.requestLineBytes)
                : .fieldSectionTooLarge(limit: limits.fieldSectionBytes)
        default:
            throw .controlCharacter
        }
    }

    /// How many more bytes of content the limits let in.
    private var allowance: Int {
        requestLine == nil
            ? limits.requestLineBytes - bytes.count : limits.fieldSectionBytes - (bytes.count - fieldSectionStart)
    }

    private mutating func endLine() throws(RequestError) -> RequestHead? {
        let line = lineStart..<bytes.count
        lineStart = bytes.count
        guard let requestLine else {
            try endRequestLine(line)
            return nil
        }
        guard line.isEmpty else {
            guard entries.count < limits.fieldCount else { throw .tooManyFields(limit: limits.fieldCount) }
            entries.append(try FieldLine.parse(bytes, line))
            return nil
        }
        let head = try RequestSemantics.head(requestLine, HTTPFields(storage: bytes, entries: entries))
        self = RequestParser(limits: limits)
        return head
    }

    private mutating func endRequestLine(_ line: Range<Int>) throws(RequestError) {
        guard line.isEmpty else {
            requestLine = try RequestLine(bytes[line])
            fieldSectionStart = bytes.count
            entries.reserveCapacity(16)
            return
        }
        emptyLines += 1
        guard emptyLines <= RequestLimits.leadingEmptyLines else { throw .malformedRequestLine }
    }
}
