/// A picture's vector and how long it took.
public struct InferenceResult: Equatable, Sendable {
    /// The network's output as it is: the card's number of dimensions, finite, not scaled to any length.
    public let vector: [Float]

    /// How long the picture waited for a stream.
    public let queueDuration: Duration

    /// How long it was on its stream, from copying its pixels to the finished vector.
    public let inferDuration: Duration
}
