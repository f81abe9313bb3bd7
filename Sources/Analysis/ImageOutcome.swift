/// How one picture of a group ended.
public struct ImageOutcome: Sendable {
    /// What the client calls it.
    public let id: String?
    /// Its analysis, or why there is none; a failure never touches its neighbours.
    public let result: Result<ImageAnalysis, any Error>
}
