/// What came of one picture of a job.
public struct JobResult: Sendable {
    /// Its place among the job's pictures, from 0.
    public let index: Int
    /// Its id, and its vector or what went wrong.
    public let outcome: ImageOutcome

    /// What it takes in memory, roughly, in bytes.
    var byteCount: Int {
        let vector = (try? outcome.result.get().embedding.count) ?? 0
        return vector * MemoryLayout<Float>.stride + (outcome.id?.utf8.count ?? 0) + Self.bytesBesideVectorAndID
    }

    /// Header, digest, fingerprint, and the arrays' own bookkeeping.
    private static let bytesBesideVectorAndID = 512
}
