import Analysis
import HTTPServer
import HTTPWire
import Scheduling
import Threads

/// `/v1/jobs`: pictures that are worked on while nobody holds a connection.
struct JobRoutes: Sendable {
    let store: JobStore
    let analyzer: Analyzer
    let cancellations: CancellationMetrics
    let reporter: ProblemReporter
    /// Where long JSON lines are read.
    let lane: Lane
    let deadlines: TimerQueue
    /// A permit an upload: each holds a picture that nobody has counted yet.
    let uploads: CancellableSemaphore
    /// How long the first picture may take to arrive.
    let firstPictureDeadline: Duration
    /// Most bytes of a picture.
    let imageLimit: Int

    var all: [Route] {
        [
            // Without a limit for the whole: each of its pictures has one, and the store has one for all.
            Route(.post, "/v1/jobs", name: "jobs_create", bodyLimitBytes: .max, streamsBody: true, handler: create),
            Route(.get, "/v1/jobs", name: "jobs_list") { _ in
                response(JobAnswer.json(store.all.map { ($0.id, $0.progress) }))
            },
            Route(.delete, "/v1/jobs", name: "jobs_delete_all") { _ in response(JobAnswer.json(store.deleteAll())) },
            Route(.get, "/v1/jobs/{id}", name: "job") { try response(JobAnswer.json(job($0))) },
            Route(.delete, "/v1/jobs/{id}", name: "job_delete", handler: delete),
            Route(.get, "/v1/jobs/{id}/results", name: "job_results", handler: results),
            Route(.post, "/v1/jobs/{id}/pause", name: "job_pause") { request in
                let job = try job(request)
                try job.pause()
                return response(JobAnswer.json(job))
            },
            Route(.post, "/v1/jobs/{id}/resume", name: "job_resume") { request in
                let job = try job(request)
                try job.resume()
                return response(JobAnswer.json(job))
            },
        ]
    }

    /// Takes the pictures in, which are worked on meanwhile, and answers when the last one is there. A client that
    /// leaves before that takes the job with it.
    private func create(_ request: Request) async throws -> Response {
        let options = try JobOptions(query: request.head.target.queryItems)
        let items = try BatchItems(request, imageLimit: imageLimit, lane: lane, cancellations: cancellations)
        guard uploads.acquireAtOnce() else {
            throw EmbedRequestError.tooManyBatches(
                limit: uploads.permits, retryAfterSeconds: BatchRoute.retryAfterSeconds)
        }
        defer { uploads.release() }
        try await deadlines.withDeadline(until: request.arrival + firstPictureDeadline) { try await items.begin() }
        let job = try store.begin(options.id, priority: options.priority)
        do {
            try await receive(items, for: job)
            if let failure = items.failure { throw failure }
            try job.endReceiving()
        } catch {
            // What was worked on is counted under what ended the request, if something did.
            store.delete(job, for: CancellationCause.current?.declaration?.reason ?? .deleted)
            throw error is JobError && job.givenUp == .shutdown ? JobError.stopping : error
        }
        var response = response(JobAnswer.json(job), status: .accepted)
        response.fields.set(.location, "/v1/jobs/\(job.id)")
        return response
    }

    /// Takes in what is sent, for as long as the job is wanted: a client that takes its time is told at once that it
    /// isn't any more.
    private func receive(_ items: BatchItems, for job: Job) async throws {
        let cause = CancellationCause(within: .current)
        let refusal = Locked<JobError?>(nil)
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await CancellationCause.$current.withValue(cause) {
                    try await items.forEach { try await receive($0, for: job, refusal) }
                }
            }
            group.addTask { try await job.waitForEnd() }
            try await group.next()
            // Of interest only if the job was given up: then a picture that is being read is given up with it.
            cause.declare(job.givenUp ?? .deleted)
            group.cancelAll()
        }
        // A job is given up with a picture that it can't have: its end may have been heard of first, and tells less.
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
    }

    private func receive(_ item: ImageItem, for job: Job, _ refusal: Locked<JobError?>) async throws {
        do {
            try await store.receive(item, for: job)
        } catch let error as JobError {
            refusal.withLock { $0 = error }
            throw error
        }
    }

    private func delete(_ request: Request) async throws -> Response {
        let id = request.pathParameters["id"] ?? ""
        guard let progress = store.delete(id) else { throw JobRequestError.unknownJob(id) }
        return response(JobAnswer.json(id, progress))
    }

    /// Writes the results there are, and then each new one as it comes, until the job ends; a last line with the
    /// counts, as for a batch.
    private func results(_ request: Request) async throws -> Response {
        let job = try job(request)
        let options = try EmbedOptions(jobResults: request.head.target.queryItems)
        let answer = try EmbedAnswer(options: options, model: analyzer.model, fingerprint: analyzer.fingerprint)
        return Response(
            status: .ok, fields: [.contentType: "application/x-ndjson"],
            body: .written { writer in
                let lines = BatchLines(answer: answer, requestID: request.id) {
                    reporter.problem(for: $0, of: request)
                }
                var failure: JobError?
                do {
                    var count = 0
                    while let results = try await job.results(after: count) {
                        for result in results {
                            try await writer.write(lines.line(for: result.outcome, at: result.index))
                        }
                        count += results.count
                    }
                } catch let error as JobError {
                    failure = error
                }
                try await writer.write(lines.lastLine(failure))
            })
    }

    private func job(_ request: Request) throws(JobRequestError) -> Job {
        let id = request.pathParameters["id"] ?? ""
        guard let job = store.job(id) else { throw .unknownJob(id) }
        return job
    }

    private func response(_ json: [UInt8], status: HTTPStatus = .ok) -> Response {
        Response(status: status, contentType: "application/json", bytes: json)
    }
}
