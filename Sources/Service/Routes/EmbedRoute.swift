import Analysis
import HTTPServer
import HTTPWire
import Scheduling

/// `POST /v1/embed`: pictures in, vectors out.
struct EmbedRoute: Sendable {
    let analyzer: Analyzer
    let metrics: AnalysisMetrics
    let cancellations: CancellationMetrics
    let reporter: ProblemReporter
    let deadlines: TimerQueue
    /// Where JSON bodies are read, and long ones are written.
    let lane: Lane
    /// The most bytes of a body.
    let bodyLimit: Int
    /// The longest a request may take that doesn't ask for less.
    let deadline: Duration

    /// Answers one request, in its own task.
    ///
    /// - Throws: what `Problem.init(_:)` tells the client of, and `CancellationError`.
    func answer(_ request: Request) async throws -> Response {
        let options = try EmbedOptions(query: request.head.target.queryItems)
        let answer = try EmbedAnswer(options: options, model: analyzer.model, fingerprint: analyzer.fingerprint)
        let deadline = request.arrival + (options.timeout ?? deadline)
        return try await deadlines.withDeadline(until: deadline) {
            try await embed(request, answer, .interactive(deadline: deadline), id: options.id)
        }
    }

    private func embed(
        _ request: Request, _ answer: EmbedAnswer, _ urgency: Urgency, id: String?
    ) async throws -> Response {
        let contentType = request.head.fields[.contentType]
        let preference = AnswerPreference(accept: request.head.fields.listElements(.accept))
        switch contentType.flatMap({ MediaType($0) })?.essence {
        case "multipart/form-data":
            guard !preference.isForBytesAlone else { throw EmbedRequestError.bytesOfSeveralPictures }
            let items = try MultipartItems(
                body: BodyChunks(body: request.body, cancellations: cancellations), contentType: contentType ?? "",
                imageLimit: bodyLimit)
            let clock = ContinuousClock()
            let begun = clock.now
            // Parts are worked on while the next ones come.
            return try await answerGroup(items, request, answer, urgency) { metrics.observe(.read, clock.now - begun) }
        case "application/json":
            let bytes = try await collect(request)
            // The type may be wrong, as with any raw picture; none begins with a brace.
            guard Self.isJSONObject(bytes) else {
                return try await answerOne(bytes, answer, urgency, id: id, asBytes: preference.prefersBytes)
            }
            guard !preference.isForBytesAlone else { throw EmbedRequestError.bytesOfSeveralPictures }
            return try await answerGroup(try await items(json: bytes), request, answer, urgency)
        default:
            return try await answerOne(
                try await collect(request), answer, urgency, id: id, asBytes: preference.prefersBytes)
        }
    }

    private func answerOne(
        _ bytes: [UInt8], _ answer: EmbedAnswer, _ urgency: Urgency, id: String?, asBytes: Bool
    ) async throws -> Response {
        let analysis = try await analyzer.analyze(ImageSource(id: id, bytes: bytes), urgency)
        return encode(stages: [analysis.stages], contentType: asBytes ? "application/octet-stream" : "application/json")
        {
            asBytes ? answer.vector(of: analysis).littleEndianBytes : answer.json(of: analysis, id: id)
        }
    }

    private func answerGroup<Items: AsyncSequence & Sendable>(
        _ items: Items, _ request: Request, _ answer: EmbedAnswer, _ urgency: Urgency,
        allArrived: @escaping @Sendable () -> Void = {}
    ) async throws -> Response where Items.Element == ImageItem {
        let outcomes = try await analyzer.analyze(group: items, urgency, allArrived: allArrived)
        guard !outcomes.isEmpty else { throw EmbedRequestError.noParts }

        let stages = outcomes.compactMap { try? $0.result.get().stages }
        // A thousand vectors are 20 MB of text: too long for a thread of the pool. The lane's knows no task.
        StageObserver.begin(.encode)
        return try await lane.run { _ in
            encode(stages: stages, contentType: "application/json") {
                answer.json(of: outcomes) { error in
                    reporter.problem(for: error, of: request).json(
                        typePrefix: Problem.typePrefix, instance: request.id
                    ).dropLast()
                }
            }
        }
    }

    private static func isJSONObject(_ bytes: [UInt8]) -> Bool {
        bytes.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
    }

    private func items(json bytes: [UInt8]) async throws -> AsyncStream<ImageItem> {
        let items = try await lane.run { try ImageEntries(json: bytes, cancellation: $0).items }
        return AsyncStream { continuation in
            items.forEach { continuation.yield($0) }
            continuation.finish()
        }
    }

    private func collect(_ request: Request) async throws -> [UInt8] {
        let clock = ContinuousClock()
        let begun = clock.now
        let bytes = try await cancellations.attributing(to: .read) {
            try await request.body.collect(upTo: bodyLimit)
        }
        metrics.observe(.read, clock.now - begun)
        guard !bytes.isEmpty else { throw EmbedRequestError.emptyBody }
        return bytes
    }

    private func encode(stages: [StageDurations], contentType: String, _ body: () -> [UInt8]) -> Response {
        StageObserver.begin(.encode)
        let clock = ContinuousClock()
        let begun = clock.now
        var response = Response(contentType: contentType, bytes: body())
        response.fields.setServerTiming(stages)
        metrics.observe(.encode, clock.now - begun)
        return response
    }
}
