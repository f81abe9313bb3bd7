import Analysis
import HTTPServer
import HTTPWire
import Scheduling
import Telemetry

/// `POST /v1/batch`: any number of pictures in, a line for each as soon as it is done.
///
/// The answer begins with the first picture and is written while the others are still being sent, so a client has to
/// read while it sends. Memory stays the same however many pictures come: a window of them is taken on at a time.
struct BatchRoute: Sendable {
    /// What a client that is turned away should wait: streams last for long, and nobody knows for how long.
    static let retryAfterSeconds = 5

    let analyzer: Analyzer
    let cancellations: CancellationMetrics
    let reporter: ProblemReporter
    let deadlines: TimerQueue
    /// Where long JSON lines are read.
    let lane: Lane
    /// A permit a stream that is open.
    let streams: CancellableSemaphore
    /// How long the first picture may take to arrive; until then nobody knows whether there is a batch at all.
    let firstPictureDeadline: Duration
    /// Most bytes of a picture.
    let imageLimit: Int

    /// Answers one request, in its own task.
    ///
    /// - Throws: what `Problem.init(_:)` tells the client of, before the answer has begun; `CancellationError`.
    func answer(_ request: Request) async throws -> Response {
        let options = try EmbedOptions(query: request.head.target.queryItems)
        let answer = try EmbedAnswer(options: options, model: analyzer.model, fingerprint: analyzer.fingerprint)
        let items = try BatchItems(request, imageLimit: imageLimit, lane: lane, cancellations: cancellations)
        guard streams.acquireAtOnce() else {
            throw EmbedRequestError.tooManyBatches(limit: streams.permits, retryAfterSeconds: Self.retryAfterSeconds)
        }
        // Given back when the answer has been written, or was let go unwritten.
        let place = HeldPermit(of: streams)
        let limit = min(options.timeout ?? firstPictureDeadline, firstPictureDeadline)
        try await deadlines.withDeadline(until: request.arrival + limit) { try await items.begin() }
        return Response(
            status: .ok, fields: [.contentType: "application/x-ndjson"],
            body: .written { writer in
                defer { place.release() }
                try await write(items, answer, to: writer, for: request, timeout: options.timeout)
            })
    }

    private func write(
        _ items: BatchItems, _ answer: EmbedAnswer, to writer: ResponseWriter, for request: Request, timeout: Duration?
    ) async throws {
        let lines = BatchLines(answer: answer, requestID: request.id) { reporter.problem(for: $0, of: request) }
        var failure: (any Error)?
        do {
            try await withOptionalDeadline(timeout.map { request.arrival + $0 }) {
                try await analyzer.analyze(stream: items.sequence) { index, outcome in
                    let line = lines.line(for: outcome, at: index)
                    try await cancellations.attributing(to: .write) { try await writer.write(line) }
                    items.answered()
                }
            }
            failure = items.failure
        } catch let error as DeadlineExceeded {
            failure = error
        }
        try await writer.write(lines.lastLine(failure))
    }

    private func withOptionalDeadline(
        _ deadline: ContinuousClock.Instant?, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard let deadline else { return try await work() }
        try await deadlines.withDeadline(until: deadline, work)
    }
}
