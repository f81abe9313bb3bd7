extension Job {
    /// A job's pictures as its run takes them on: one after the other, as they come, while it is not paused.
    struct Items: AsyncSequence, AsyncIteratorProtocol {
        typealias Element = ImageItem

        let job: Job

        func makeAsyncIterator() -> Items { self }

        func next() async throws -> ImageItem? { try await job.next() }
    }
}
