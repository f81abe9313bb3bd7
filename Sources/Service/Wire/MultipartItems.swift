import Analysis
import HTTPServer
import HTTPWire

/// The parts of a multipart body as images, each handed on as soon as its last byte is there.
///
/// Every part is taken for an image, whether it has a file name or not: one that is something else is answered with its
/// own error instead of being left out without a word. The image's id is the part's file name, or else its field name.
struct MultipartItems: AsyncSequence {
    typealias Element = ImageItem

    private let body: BodyChunks
    private let parser: MultipartParser
    private let imageLimit: Int

    /// - Parameters:
    ///   - imageLimit: Most bytes of a part; one that has more is dropped, and the others are read on.
    ///   - partLimit: Most parts.
    /// - Throws: `MultipartError` if the Content-Type doesn't name a usable boundary.
    init(
        body: BodyChunks, contentType: String, imageLimit: Int, partLimit: Int = MultipartLimits().maximumParts
    ) throws(MultipartError) {
        self.body = body
        self.imageLimit = imageLimit
        parser = try MultipartParser(
            boundary: MultipartParser.boundary(inContentType: contentType),
            limits: MultipartLimits(maximumParts: partLimit))
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(body: body.makeAsyncIterator(), parser: parser, imageLimit: imageLimit)
    }

    struct Iterator: AsyncIteratorProtocol {
        private struct Part {
            let id: String
            var bytes: [UInt8] = []
            var isTooLarge = false

            func fits(_ count: Int, within limit: Int) -> Bool { bytes.count + count <= limit }
        }

        private var body: BodyChunks.Iterator
        private var parser: MultipartParser
        private let imageLimit: Int
        private var part: Part?
        /// A slice, whose first element is taken without moving the others.
        private var complete: ArraySlice<ImageItem> = []
        private var isAtEnd = false

        fileprivate init(body: BodyChunks.Iterator, parser: MultipartParser, imageLimit: Int) {
            self.body = body
            self.parser = parser
            self.imageLimit = imageLimit
        }

        /// The next image.
        ///
        /// - Throws: `MultipartError` for a body that is not well-formed, a part's number in it; `BodyError`;
        ///   `CancellationError`.
        mutating func next() async throws -> ImageItem? {
            while true {
                if let item = complete.popFirst() { return item }
                guard !isAtEnd else { return nil }
                if let chunk = try await body.next() {
                    try take(parser.feed(chunk[...]))
                } else {
                    try parser.finish()
                    isAtEnd = true
                }
            }
        }

        private mutating func take(_ events: [MultipartEvent]) throws {
            for event in events {
                switch event {
                case .partBegin(let header):
                    part = Part(id: header.filename ?? header.name)
                case .partData(let data):
                    take(data)
                case .partEnd:
                    endPart()
                case .end:
                    break
                }
            }
        }

        private mutating func take(_ data: some Collection<UInt8>) {
            // The part is changed in place: a second reference to its bytes would copy all of them here.
            guard part?.isTooLarge == false else { return }
            guard part?.fits(data.count, within: imageLimit) == true else {
                part?.bytes = []
                part?.isTooLarge = true
                return
            }
            part?.bytes.append(contentsOf: data)
        }

        private mutating func endPart() {
            guard let part else { return }
            self.part = nil
            complete.append(item(of: part))
        }

        private func item(of part: Part) -> ImageItem {
            guard part.id.utf8.count <= EmbedOptions.maximumIdBytes else {
                return .unreadable(id: nil, ImageEntryError.idTooLong(limit: EmbedOptions.maximumIdBytes))
            }
            guard !part.isTooLarge else {
                return .unreadable(id: part.id, BodyError.tooLarge(limit: imageLimit))
            }
            return .image(ImageSource(id: part.id, bytes: part.bytes))
        }
    }
}
