import Analysis
import HTTPServer
import HTTPWire

/// The parts of a multipart body as images, each handed on as soon as its last byte is there.
///
/// Every part is taken for an image, whether it has a file name or not: one that is something else is answered with its
/// own error instead of being left out without a word. The image's id is the part's file name, or else its field name.
struct MultipartImages: AsyncSequence {
    typealias Element = ImageSource

    let body: BodyChunks
    let parser: MultipartParser

    /// - Throws: `MultipartError` if the Content-Type doesn't name a usable boundary.
    init(body: BodyChunks, contentType: String) throws(MultipartError) {
        self.body = body
        parser = try MultipartParser(boundary: MultipartParser.boundary(inContentType: contentType))
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(body: body.makeAsyncIterator(), parser: parser)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var body: BodyChunks.Iterator
        fileprivate var parser: MultipartParser
        private var part: (id: String, bytes: [UInt8])?
        private var complete: [ImageSource] = []
        private var isAtEnd = false

        fileprivate init(body: BodyChunks.Iterator, parser: MultipartParser) {
            self.body = body
            self.parser = parser
        }

        /// The next image.
        ///
        /// - Throws: `MultipartError` for a body that is not well-formed, a part's number in it; `BodyError`;
        ///   `CancellationError`.
        mutating func next() async throws -> ImageSource? {
            while complete.isEmpty {
                guard !isAtEnd else { return nil }
                if let chunk = try await body.next() {
                    try take(parser.feed(chunk[...]))
                } else {
                    try parser.finish()
                    isAtEnd = true
                }
            }
            return complete.removeFirst()
        }

        private mutating func take(_ events: [MultipartEvent]) throws {
            for event in events {
                switch event {
                case .partBegin(let header):
                    part = (header.filename ?? header.name, [])
                case .partData(let data):
                    part?.bytes.append(contentsOf: data)
                case .partEnd:
                    guard let part else { continue }
                    complete.append(ImageSource(id: part.id, bytes: part.bytes))
                    self.part = nil
                case .end:
                    break
                }
            }
        }
    }
}
