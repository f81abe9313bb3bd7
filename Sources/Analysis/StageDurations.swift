/// How long the stages of one analysis took.
public struct StageDurations: Sendable, Equatable {
    /// Waiting for its turn, for a decode thread and for an inference request.
    public var queue = Duration.zero
    /// From file bytes to pixels.
    public var decode = Duration.zero
    /// From pixels to the model's input: resampling and dominant colour.
    public var preprocess = Duration.zero
    /// From the model's input to the vector.
    public var infer = Duration.zero
}
