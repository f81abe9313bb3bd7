import Analysis

/// The photos as the stream that the task group takes.
struct PhotoItems: AsyncSequence, AsyncIteratorProtocol {
    typealias Element = ImageItem

    let photos: PhotoSet
    private var index = 0

    init(photos: PhotoSet) {
        self.photos = photos
    }

    func makeAsyncIterator() -> Self { self }

    mutating func next() async -> ImageItem? {
        guard index < photos.count else { return nil }
        defer { index += 1 }
        return .image(ImageSource(bytes: photos[index]))
    }
}
