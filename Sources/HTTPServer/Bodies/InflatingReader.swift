import HTTPWire

/// Inflates a body as it is read, in the task that reads it: neither the reactor nor a body that nobody reads pays for
/// it. The memory for a piece is asked for before the piece is made.
///
/// Belongs to one iterator; not to be shared.
final class InflatingReader {
    /// Most bytes inflated between two awaits: some tenths of a millisecond of a pool's thread.
    static let stepBytes = 64 * 1024
    /// Most compressed bytes taken between two awaits, whether or not they hold any content.
    static let stepInputBytes = 16 * 1024

    private let pipe: BodyPipe
    private let inflation: Inflation
    private let keepsContent: Bool
    /// Whether a piece has to be admitted.
    private let needsAdmission: Bool
    private var decoder = GzipDecoder(inputLimit: stepInputBytes, outputLimit: stepBytes)
    private var input: [UInt8] = []
    private var position = 0
    /// All of the input is taken, and nothing of it is held back.
    private var wantsInput = true
    private var inflatedBytes = 0
    /// The size of the piece that was handed out last, and may still be used.
    private var handedBytes = 0
    private var isAtEnd = false

    /// Reads the pipe's bytes as gzip.
    /// - Parameter keepsContent: The pieces are kept, so that their memory is not given back when the next one is asked
    ///   for.
    init(pipe: BodyPipe, _ inflation: Inflation, keepsContent: Bool) {
        self.pipe = pipe
        self.inflation = inflation
        self.keepsContent = keepsContent
        needsAdmission = keepsContent || !inflation.holdsPiece
    }

    /// The next piece of the content, nil at its end.
    /// - Throws: `BodyError`, `.tooLarge` as soon as the content is more than the limit; `CancellationError`.
    func next() async throws -> [UInt8]? {
        giveBackPiece()
        while !isAtEnd {
            try Task.checkCancellation()
            if wantsInput {
                try await fetch()
                continue
            }
            let content = try await piece()
            // Lets others run: a small input may keep this up for a long time.
            await Task.yield()
            if !content.isEmpty { return content }
        }
        return nil
    }

    /// What one step makes of the input, perhaps nothing.
    private func piece() async throws -> [UInt8] {
        guard needsAdmission else { return try inflate() }
        try await inflation.admit(Self.stepBytes)
        let content = try inflate()
        inflation.release(Self.stepBytes - content.count)
        handedBytes = content.count
        return content
    }

    private func giveBackPiece() {
        if !keepsContent, handedBytes > 0 {
            inflation.release(handedBytes)
        }
        handedBytes = 0
    }

    private func fetch() async throws {
        guard let chunk = try await pipe.next() else {
            isAtEnd = true
            do { try decoder.finish() } catch { throw refusal(of: error) }
            return
        }
        input = chunk
        position = 0
        wantsInput = false
    }

    private func inflate() throws(BodyError) -> [UInt8] {
        let content: [UInt8]
        do {
            content = try decoder.next(input, from: &position)
        } catch {
            throw refusal(of: error)
        }
        wantsInput = content.isEmpty && position == input.count
        inflatedBytes += content.count
        guard inflatedBytes <= inflation.limit else {
            isAtEnd = true
            inflation.onRefusal(BodyDecodingError.tooLarge(limit: inflation.limit).slug)
            throw .tooLarge(limit: inflation.limit)
        }
        return content
    }

    private func refusal(of error: GzipError) -> BodyError {
        isAtEnd = true
        if error != .outOfMemory {
            inflation.onRefusal(error.slug)
        }
        return .malformedCoding(error)
    }
}
