/// Writes the content of a response piece by piece.
public struct ResponseWriter: Sendable {
    /// Sends a piece and tells whether the response is still wanted.
    private let send: @Sendable ([UInt8]) async -> Bool

    /// Makes a writer: the server does it, and so can tests of handlers.
    public init(send: @escaping @Sendable ([UInt8]) async -> Bool) {
        self.send = send
    }

    /// Writes a piece, and suspends while the client doesn't take what was written before. Several tasks may write at
    /// once; their pieces stay whole.
    ///
    /// - Throws: `CancellationError` if nobody wants the response any more.
    public func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        guard await send(bytes) else { throw CancellationError() }
    }

    /// Writes the chunks one after the other, asking for the next one only while the client takes them.
    func write(contentsOf chunks: any AsyncSequence<[UInt8], any Error>) async throws {
        for try await chunk in chunks {
            try await write(chunk)
        }
    }
}
