/// The stages of a request, in their order.
public enum Stage: String, CaseIterable, Sendable {
    /// Reading the request's body.
    case read
    /// Waiting for its turn and for a decode thread.
    case queue
    /// From file bytes to pixels.
    case decode
    /// From pixels to the model's input: resampling and dominant colour.
    case preprocess
    /// From the model's input to the vector.
    case infer
    /// From results to the answer's bytes.
    case encode
}
