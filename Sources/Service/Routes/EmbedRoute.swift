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
    /// The most bytes of a body.
    let bodyLimit: Int
    /// The longest a request may take that doesn't ask for less.
    let deadline: Duration

    /// Answers one request, in its own task.
    ///
    /// - Throws: what `Problem.init(_:)` tells the client of, and `CancellationError`.
    func answer(_ request: Request) async throws -> Response {
        let options = try EmbedOptions(query: request.head.target.queryItems)
        try check(options)
        let deadline = request.arrival + (options.timeout ?? deadline)
        return try await deadlines.withDeadline(until: deadline) {
            try await embed(request, options, .interactive(deadline: deadline))
        }
    }

    private func check(_ options: EmbedOptions) throws(EmbedRequestError) {
        let card = analyzer.model.card
        if let model = options.model, model != card.name {
            throw .unknownModel(model, served: [card.name])
        }
        if let dimensions = options.dimensions, dimensions > card.output.dimensions {
            throw .badParameter(
                name: "dimensions", value: "\(dimensions)",
                allowed: "at most \(card.output.dimensions), which is what \(card.name) has")
        }
    }

    private func embed(
        _ request: Request, _ options: EmbedOptions, _ urgency: Urgency
    ) async throws -> Response {
        let contentType = request.head.fields[.contentType]
        let answersBytes = request.head.fields.listElements(.accept).contains { element in
            guard let type = MediaType(element), type.essence == "application/octet-stream" else { return false }
            return type[parameter: "q"].flatMap(Double.init) != 0
        }
        if let contentType, contentType.lowercased().hasPrefix("multipart/form-data") {
            guard !answersBytes else { throw EmbedRequestError.bytesOfSeveralPictures }
            return try await answerGroup(request, options, urgency, contentType: contentType)
        }
        return try await answerOne(request, options, urgency, asBytes: answersBytes)
    }

    private func answerOne(
        _ request: Request, _ options: EmbedOptions, _ urgency: Urgency, asBytes: Bool
    ) async throws -> Response {
        let clock = ContinuousClock()
        let begun = clock.now
        let bytes = try await cancellations.attributing(to: .read) {
            try await request.body.collect(upTo: bodyLimit)
        }
        metrics.observe(.read, clock.now - begun)
        guard !bytes.isEmpty else { throw EmbedRequestError.emptyBody }

        let analysis = try await analyzer.analyze(ImageSource(id: options.id, bytes: bytes), urgency)
        return encode(stages: [analysis.stages], contentType: asBytes ? "application/octet-stream" : "application/json")
        {
            let answer = writer(options)
            return asBytes
                ? answer.vector(of: analysis).littleEndianBytes : answer.json(of: analysis, id: options.id)
        }
    }

    private func answerGroup(
        _ request: Request, _ options: EmbedOptions, _ urgency: Urgency, contentType: String
    ) async throws -> Response {
        let clock = ContinuousClock()
        let begun = clock.now
        let images = try MultipartImages(
            body: BodyChunks(body: request.body, cancellations: cancellations), contentType: contentType)
        let outcomes = try await analyzer.analyze(group: images, urgency) { metrics.observe(.read, clock.now - begun) }
        guard !outcomes.isEmpty else { throw EmbedRequestError.noParts }

        let stages = outcomes.compactMap { try? $0.result.get().stages }
        return encode(stages: stages, contentType: "application/json") {
            writer(options).json(of: outcomes) { error in
                reporter.problem(for: error, of: request).json(typePrefix: Problem.typePrefix, instance: request.id)
                    .dropLast()
            }
        }
    }

    private func writer(_ options: EmbedOptions) -> EmbedAnswer {
        let card = analyzer.model.card
        return EmbedAnswer(
            modelName: card.name, modelFingerprint: analyzer.fingerprint,
            normalize: options.normalize ?? card.output.normalize, options: options)
    }

    private func encode(stages: [StageDurations], contentType: String, _ body: () -> [UInt8]) -> Response {
        let clock = ContinuousClock()
        let begun = clock.now
        var response = Response(contentType: contentType, bytes: body())
        response.fields.setServerTiming(stages)
        metrics.observe(.encode, clock.now - begun)
        return response
    }
}
