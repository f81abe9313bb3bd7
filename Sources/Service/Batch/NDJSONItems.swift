import Analysis
import HTTPServer
import Scheduling

/// The lines of an NDJSON body as images, each a JSON object as `ImageEntry` describes it. A line that can't be read is
/// an item with its own error.
struct NDJSONItems: AsyncSequence {
    typealias Element = ImageItem

    let body: BodyChunks
    /// Most bytes of a picture.
    let imageLimit: Int
    /// Where long lines are read.
    let lane: Lane

    func makeAsyncIterator() -> Iterator {
        Iterator(body: body.makeAsyncIterator(), imageLimit: imageLimit, lane: lane)
    }

    struct Iterator: AsyncIteratorProtocol {
        /// Up to here a line is read in less time than it costs to change threads.
        private static let inlineBytes = 16 * 1024
        /// What a line may have beside its base64: names and the id.
        private static let bytesBesideThePicture = 64 * 1024

        private var body: BodyChunks.Iterator
        private let lane: Lane
        private let lineLimit: Int
        private var splitter: LineSplitter
        private var isAtEnd = false

        fileprivate init(body: BodyChunks.Iterator, imageLimit: Int, lane: Lane) {
            self.body = body
            self.lane = lane
            lineLimit = (imageLimit + 2) / 3 * 4 + Self.bytesBesideThePicture
            splitter = LineSplitter(limit: lineLimit)
        }

        /// The next image.
        ///
        /// - Throws: `BodyError`, `CancellationError`.
        mutating func next() async throws -> ImageItem? {
            switch try await nextLine() {
            case nil: return nil
            case .tooLong: return .unreadable(id: nil, ImageEntryError.lineTooLong(limit: lineLimit))
            case .line(let line): return try await item(of: line)
            }
        }

        private mutating func nextLine() async throws -> LineSplitter.Line? {
            while !isAtEnd {
                if let line = splitter.next() { return line }
                guard let chunk = try await body.next() else {
                    isAtEnd = true
                    return splitter.finish()
                }
                splitter.feed(chunk)
            }
            return nil
        }

        private func item(of line: [UInt8]) async throws -> ImageItem {
            guard line.count > Self.inlineBytes else { return ImageEntry.item(fromJSON: line) }
            return try await lane.run { _ in ImageEntry.item(fromJSON: line) }
        }
    }
}
