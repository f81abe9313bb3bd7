/// Something that happens once or more often and can be waited for.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func send() {
        continuation.yield()
    }

    /// Waits for the next one; returns early when the task is cancelled.
    func wait() async {
        for await _ in stream { return }
    }
}
