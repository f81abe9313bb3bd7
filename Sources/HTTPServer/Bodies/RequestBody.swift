/// A request's body as it comes in: chunks of bytes, each at least one byte long and cut wherever the network cut them.
///
/// For one reader, once. While nobody reads, the server stops taking bytes from the socket at
/// `ServerConfiguration.bodyHighWaterBytes`, so an unread body costs bounded memory. The first read is what sends
/// `100 Continue` to a client that waits for it.
///
/// A body with `Content-Encoding: gzip` is inflated as it is read. Its content is bounded by the route's body limit
/// just as the bytes on the wire are, and a piece has at most 64 KiB, so that a bomb ends at the limit.
public struct RequestBody: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]

    fileprivate enum Source: Sendable {
        case pipe(BodyPipe)
        case bytes([UInt8])
        case gzip(BodyPipe, Inflation)
    }

    private let source: Source

    /// The size that the client announced, in bytes; nil for a chunked or compressed body, 0 for none.
    public let contentLength: Int?

    /// A request without a body.
    public static let empty = RequestBody(bytes: [])

    /// A body that is there already: for calling handlers in tests.
    public init(bytes: [UInt8]) {
        source = .bytes(bytes)
        contentLength = bytes.count
    }

    init(pipe: BodyPipe, contentLength: Int?) {
        source = .pipe(pipe)
        self.contentLength = contentLength
    }

    /// A compressed body.
    init(gzip pipe: BodyPipe, _ inflation: Inflation) {
        source = .gzip(pipe, inflation)
        contentLength = nil
    }

    /// Reads the whole body into one array. Room for the announced size is made at once, and every byte is copied once.
    /// - Parameter limit: Most bytes to take.
    /// - Throws: `BodyError.tooLarge` as soon as the limit is passed (before anything is read when the announced size
    ///   tells so), other cases of `BodyError`, `CancellationError` when the task is cancelled.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        if let contentLength, contentLength > limit {
            throw BodyError.tooLarge(limit: limit)
        }
        switch source {
        case .bytes(let bytes):
            return bytes
        case .pipe(let pipe):
            let bytes = try await pipe.collect(upTo: limit, expected: contentLength)
            guard bytes.count <= limit else { throw BodyError.tooLarge(limit: limit) }
            return bytes
        case .gzip(let pipe, var inflation):
            inflation.limit = Swift.min(limit, inflation.limit)
            let reader = InflatingReader(pipe: pipe, inflation, keepsContent: true)
            var bytes: [UInt8] = []
            while let piece = try await reader.next() {
                bytes.append(contentsOf: piece)
            }
            return bytes
        }
    }

    /// The handler begins something that the client may wait for before it sends more of the body: until the
    /// matching ``resumeClientTime()`` the client's time for the body stands still (`TimeLimits.bodyBytesPerSecond`).
    ///
    /// For handlers that answer while they read. May be called several times, from any thread.
    public func pauseClientTime() {
        pipe?.clientTime.pause()
    }

    /// What a ``pauseClientTime()`` was for is in the answer.
    public func resumeClientTime() {
        pipe?.clientTime.resume()
    }

    private var pipe: BodyPipe? {
        switch source {
        case .bytes: nil
        case .pipe(let pipe), .gzip(let pipe, _): pipe
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator {
        switch source {
        case .pipe(let pipe): AsyncIterator(reader: .pipe(pipe))
        case .bytes(let bytes): AsyncIterator(reader: .bytes(bytes))
        case .gzip(let pipe, let inflation):
            AsyncIterator(reader: .inflating(InflatingReader(pipe: pipe, inflation, keepsContent: false)))
        }
    }

    /// Reads a body chunk by chunk.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate enum Reader {
            case pipe(BodyPipe)
            case bytes([UInt8])
            case inflating(InflatingReader)
        }

        fileprivate var reader: Reader

        /// The next chunk, nil at the end of the body.
        /// - Throws: `BodyError`, or `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> [UInt8]? {
            switch reader {
            case .pipe(let pipe):
                return try await pipe.next()
            case .inflating(let reader):
                return try await reader.next()
            case .bytes(let bytes):
                reader = .bytes([])
                return bytes.isEmpty ? nil : bytes
            }
        }
    }
}
