import HTTPWire

extension EmbedOptions {
    /// How a job's results can be asked for. A job has no time limit, and its pictures brought their ids along.
    private static let namesForJobResults = ["model", "normalize", "dimensions", "encoding"]

    /// Reads the query of `GET /v1/jobs/{id}/results`.
    ///
    /// - Throws: `EmbedRequestError`, also for what only makes sense where pictures are sent.
    init(jobResults query: [RequestTarget.QueryItem]) throws(EmbedRequestError) {
        if let other = query.first(where: { !Self.namesForJobResults.contains($0.name) }) {
            throw .unknownParameter(name: other.name, known: Self.namesForJobResults)
        }
        try self.init(query: query)
    }
}
