/// The chunked transfer coding (RFC 9112 section 7.1), read strictly.
///
///     size --hex--> size      size --CR--> sizeLineFeed      size --SP, HTAB--> space --";"--> extension
///     size --";"--> extension --CR--> sizeLineFeed --LF--> data, or trailer after the size 0
///     data --last byte--> dataReturn --CR--> dataLineFeed --LF--> size
///     trailer --line CR--> trailerLineFeed --LF--> trailer; after an empty line: complete
///
/// Extensions and trailers are checked, counted against a cap, and dropped.
struct ChunkedDecoder: Sendable {
    /// Most bytes of extensions in one body: unlimited ones make a body of nothing out of endless traffic.
    static let extensionLimitBytes = 16 * 1024
    /// Most bytes of trailer lines.
    static let trailerLimitBytes = 16 * 1024
    /// 15 hexadecimal digits stay below 2^60; leading zeros count, too.
    static let sizeLimitDigits = 15

    private enum State: Sendable {
        case size(value: Int, digits: Int)
        case spaceBeforeExtension(size: Int)
        case chunkExtension(size: Int)
        case sizeLineFeed(size: Int)
        case data(remaining: Int)
        case dataReturn
        case dataLineFeed
        case trailer
        case trailerLineFeed
        case complete
    }

    private var state = State.size(value: 0, digits: 0)
    private var extensionBytes = 0
    private var trailerBytes = 0
    private var trailerLine: [UInt8] = []

    /// Looks at the input from `start` on.
    /// - Parameters:
    ///   - budget: How many more bytes of content are let through.
    ///   - limit: What to name in the error when there are more.
    mutating func next(
        _ input: Span<UInt8>, from start: Int, budget: Int, limit: Int
    ) throws(BodyDecodingError) -> BodyDecoder.Step {
        var position = start
        while true {
            if case .complete = state { return .complete(end: position) }
            guard position < input.count else { return .needsInput }
            if case .data(let remaining) = state {
                let end = min(input.count, position + remaining)
                state = end - position == remaining ? .dataReturn : .data(remaining: remaining - (end - position))
                return .data(position..<end)
            }
            try take(input[position], budget: budget, limit: limit)
            position += 1
        }
    }

    private mutating func take(_ byte: UInt8, budget: Int, limit: Int) throws(BodyDecodingError) {
        switch state {
        case .size(let value, let digits):
            try takeSize(byte, value: value, digits: digits, budget: budget, limit: limit)
        case .spaceBeforeExtension(let size):
            try countExtension()
            if byte == ASCII.semicolon {
                state = .chunkExtension(size: size)
            } else if byte != ASCII.space && byte != ASCII.tab {
                throw .invalidChunkSize
            }
        case .chunkExtension(let size):
            try countExtension()
            if byte == ASCII.carriageReturn {
                state = .sizeLineFeed(size: size)
            } else if !ASCII.isFieldContent(byte) {
                throw .malformedChunk
            }
        case .sizeLineFeed(let size):
            guard byte == ASCII.lineFeed else { throw .malformedChunk }
            state = size == 0 ? .trailer : .data(remaining: size)
        case .dataReturn:
            guard byte == ASCII.carriageReturn else { throw .malformedChunk }
            state = .dataLineFeed
        case .dataLineFeed:
            guard byte == ASCII.lineFeed else { throw .malformedChunk }
            state = .size(value: 0, digits: 0)
        case .trailer:
            try takeTrailer(byte)
        case .trailerLineFeed:
            guard byte == ASCII.lineFeed else { throw .malformedTrailer }
            try endTrailerLine()
        case .data, .complete:
            preconditionFailure("next handles data and the end itself")
        }
    }

    private mutating func takeSize(
        _ byte: UInt8, value: Int, digits: Int, budget: Int, limit: Int
    ) throws(BodyDecodingError) {
        if let digit = ASCII.hexadecimalValue(byte) {
            guard digits < Self.sizeLimitDigits else { throw .invalidChunkSize }
            state = .size(value: value << 4 | Int(digit), digits: digits + 1)
            return
        }
        guard digits > 0 else { throw .invalidChunkSize }
        // Refused when its size is read, not when its bytes arrive.
        guard value <= budget else { throw .tooLarge(limit: limit) }
        switch byte {
        case ASCII.carriageReturn: state = .sizeLineFeed(size: value)
        case ASCII.semicolon: state = .chunkExtension(size: value)
        case ASCII.space, ASCII.tab: state = .spaceBeforeExtension(size: value)
        default: throw .invalidChunkSize
        }
    }

    private mutating func countExtension() throws(BodyDecodingError) {
        extensionBytes += 1
        guard extensionBytes <= Self.extensionLimitBytes else { throw .chunkExtensionsTooLarge }
    }

    private mutating func takeTrailer(_ byte: UInt8) throws(BodyDecodingError) {
        if byte == ASCII.carriageReturn {
            state = .trailerLineFeed
            return
        }
        guard ASCII.isFieldContent(byte) else { throw .malformedTrailer }
        trailerBytes += 1
        guard trailerBytes <= Self.trailerLimitBytes else { throw .trailersTooLarge }
        trailerLine.append(byte)
    }

    private mutating func endTrailerLine() throws(BodyDecodingError) {
        guard !trailerLine.isEmpty else {
            state = .complete
            return
        }
        guard (try? FieldLine.parse(trailerLine, trailerLine.indices)) != nil else { throw .malformedTrailer }
        trailerLine.removeAll(keepingCapacity: true)
        state = .trailer
    }
}
