import Analysis
import HTTPServer

/// A request's body, read piece by piece; a reading that is given up is counted.
struct BodyChunks: AsyncSequence {
    typealias Element = [UInt8]

    let body: RequestBody
    let cancellations: CancellationMetrics

    func makeAsyncIterator() -> Iterator {
        Iterator(body: body.makeAsyncIterator(), cancellations: cancellations)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var body: RequestBody.AsyncIterator
        fileprivate let cancellations: CancellationMetrics

        /// The next piece.
        ///
        /// - Throws: `BodyError`, `CancellationError`.
        mutating func next() async throws -> [UInt8]? {
            do {
                return try await body.next()
            } catch let error as CancellationError {
                cancellations.count(.read)
                throw error
            }
        }
    }
}
