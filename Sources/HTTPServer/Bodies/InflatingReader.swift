/// Inflates a body as it is read, in the task that reads it: neither the reactor nor a body that nobody reads pays for
/// it.
///
/// Belongs to one iterator; not to be shared.
final class InflatingReader {
    /// Most bytes inflated between two awaits: some tenths of a millisecond of a pool's thread.
    private static let stepBytes = 64 * 1024

    private let pipe: BodyPipe
    private let limit: Int
    private var decoder = GzipDecoder(outputLimit: stepBytes)
    private var input: [UInt8] = []
    private var position = 0
    private var inflatedBytes = 0
    private var isAtEnd = false

    /// Reads the pipe's bytes as gzip.
    /// - Parameter limit: Most bytes of content.
    init(pipe: BodyPipe, limit: Int) {
        self.pipe = pipe
        self.limit = limit
    }

    /// The next piece of the content, nil at its end.
    /// - Throws: `BodyError`, `.tooLarge` as soon as the content is more than the limit; `CancellationError`.
    func next() async throws -> [UInt8]? {
        while !isAtEnd {
            try Task.checkCancellation()
            let content = try inflate()
            guard content.isEmpty else {
                // Lets others run: a small input may keep this up for a long time.
                await Task.yield()
                return content
            }
            if let chunk = try await pipe.next() {
                input = chunk
                position = 0
            } else {
                isAtEnd = true
                do { try decoder.finish() } catch { throw BodyError.malformedCoding(error) }
            }
        }
        return nil
    }

    private func inflate() throws(BodyError) -> [UInt8] {
        let content: [UInt8]
        do {
            content = try decoder.next(input, from: &position)
        } catch {
            throw .malformedCoding(error)
        }
        inflatedBytes += content.count
        guard inflatedBytes <= limit else { throw .tooLarge(limit: limit) }
        return content
    }
}
