/// A picture's vector and how long it took.
public struct InferenceResult: Equatable, Sendable {
    /// The card's number of dimensions, of Euclidean length 1 if the card says so.
    public let vector: [Float]

    /// How long the picture waited for a stream.
    public let queueDuration: Duration

    /// How long it was on its stream, from copying its pixels to the finished vector.
    public let inferDuration: Duration
}
