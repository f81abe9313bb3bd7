import Analysis
import HTTPServer
import HTTPWire
import Scheduling

/// The images of a body of either form, as they come in; what ends them early is kept for the last line of the answer.
///
/// The first image is read before the answer begins, the others while it is written.
///
/// Invariant behind `@unchecked Sendable`: one task at a time uses it: the request's own, or a child that it waits for.
/// First one calls ``begin()``, and then, with the answer's head in between, one reads the images.
final class BatchItems: @unchecked Sendable {
    private enum Form {
        case multipart(MultipartItems.Iterator)
        case lines(NDJSONItems.Iterator)
        /// Somewhere else while it is asked for the next image, so that its buffers are not copied.
        case taken

        mutating func next() async throws -> ImageItem? {
            switch self {
            case .multipart(var items):
                self = .taken
                defer { self = .multipart(items) }
                return try await items.next()
            case .lines(var items):
                self = .taken
                defer { self = .lines(items) }
                return try await items.next()
            case .taken:
                return nil
            }
        }
    }

    private let body: RequestBody
    private var form: Form
    private var first: ImageItem?
    /// Why there is no further image although the body has not ended as it should; nil otherwise.
    private(set) var failure: (any Error)?

    /// - Throws: `EmbedRequestError` for a content type that holds no images, `MultipartError` for one without a
    ///   boundary.
    init(_ request: Request, imageLimit: Int, lane: Lane, cancellations: CancellationMetrics) throws {
        self.body = request.body
        let body = BodyChunks(body: request.body, cancellations: cancellations)
        let contentType = request.head.fields[.contentType] ?? ""
        switch MediaType(contentType)?.essence {
        case "multipart/form-data":
            form = .multipart(
                try MultipartItems(body: body, contentType: contentType, imageLimit: imageLimit, partLimit: .max)
                    .makeAsyncIterator())
        case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/json":
            form = .lines(NDJSONItems(body: body, imageLimit: imageLimit, lane: lane).makeAsyncIterator())
        default:
            throw EmbedRequestError.batchContentType(contentType)
        }
    }

    /// Reads the first image, so that a body without any is told before the answer begins.
    ///
    /// - Throws: `EmbedRequestError.emptyBatch`, and what the body's form throws.
    func begin() async throws {
        first = try await form.next()
        guard first != nil else { throw EmbedRequestError.emptyBatch }
    }

    /// Hands each image on, one after the other. While one is being taken in, the client need not send another; before
    /// and after it, its time for the body runs.
    ///
    /// - Throws: `CancellationError`, and what `take` throws. Whatever else goes wrong is the ``failure``, and ends the
    ///   images.
    func forEach(_ take: (ImageItem) async throws -> Void) async throws {
        while let item = try await next() {
            body.pauseClientTime()
            defer { body.resumeClientTime() }
            try await take(item)
        }
    }

    /// The line of an image of the ``sequence`` is on its way.
    func answered() {
        body.resumeClientTime()
    }

    private func next() async throws -> ImageItem? {
        if let first {
            self.first = nil
            return first
        }
        guard failure == nil else { return nil }
        do {
            return try await form.next()
        } catch let error as CancellationError {
            throw error
        } catch {
            failure = error
            return nil
        }
    }
}

extension BatchItems {
    /// The images as a sequence, for one reader who answers each: from the moment that an image is handed out until it
    /// is ``answered()`` the client need not send another.
    var sequence: Sequence { Sequence(items: self) }

    struct Sequence: AsyncSequence, AsyncIteratorProtocol {
        typealias Element = ImageItem

        fileprivate let items: BatchItems

        func makeAsyncIterator() -> Self { self }

        /// - Throws: `CancellationError`. Whatever else goes wrong is the items' ``BatchItems/failure``.
        func next() async throws -> ImageItem? {
            guard let item = try await items.next() else { return nil }
            items.body.pauseClientTime()
            return item
        }
    }
}
