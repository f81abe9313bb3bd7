/// How a job ended.
public enum JobEnd: String, CaseIterable, Sendable {
    /// Every picture has its result.
    case finished
    /// It was given up.
    case cancelled
}
