/// Finds a request body's bytes in the input: ranges out, nothing copied, no I/O.
///
/// Call `next` with the input and the index to go on from until it answers `needsInput` or `complete`. How the input is
/// cut into pieces changes how the data is cut, never the data. A decoder that has thrown is used up.
public struct BodyDecoder: Sendable {
    /// What comes next in the input.
    public enum Step: Equatable, Sendable {
        /// All input is taken and the body goes on.
        case needsInput
        /// These bytes of the input belong to the body; go on from the range's end.
        case data(Range<Int>)
        /// The body is complete; the next request begins at this index.
        case complete(end: Int)
    }

    private enum Framing: Sendable {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    private var framing: Framing
    private let limit: Int
    private var received = 0

    /// Makes a decoder for one body.
    /// - Parameter limit: Most bytes of content to let through. A Content-Length over it is refused before any byte is
    ///   read.
    public init(framing: BodyFraming, limit: Int) throws(BodyDecodingError) {
        self.limit = limit
        switch framing {
        case .none:
            self.framing = .length(remaining: 0)
        case .length(let length):
            guard length <= limit else { throw .tooLarge(limit: limit) }
            self.framing = .length(remaining: length)
        case .chunked:
            self.framing = .chunked(ChunkedDecoder())
        }
    }

    /// How many bytes of content are still to come; nil when the framing doesn't tell.
    public var remaining: Int? {
        switch framing {
        case .length(let remaining): remaining
        case .chunked: nil
        }
    }

    /// Looks at the input from `start` on.
    public mutating func next(_ input: Span<UInt8>, from start: Int) throws(BodyDecodingError) -> Step {
        switch framing {
        case .length(let remaining):
            guard remaining > 0 else { return .complete(end: start) }
            guard start < input.count else { return .needsInput }
            let end = min(input.count, start + remaining)
            framing = .length(remaining: remaining - (end - start))
            return .data(start..<end)
        case .chunked(var decoder):
            let step = try decoder.next(input, from: start, budget: limit - received, limit: limit)
            framing = .chunked(decoder)
            if case .data(let range) = step {
                received += range.count
            }
            return step
        }
    }
}
