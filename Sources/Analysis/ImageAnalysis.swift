import Imaging
import Inference

/// What the service says about one picture.
public struct ImageAnalysis: Sendable {
    /// The model's output for the picture, not yet normalised; as long as the model's `dimensions`.
    public let embedding: [Float]
    /// Format, stored size and orientation.
    public let header: ImageHeader
    /// The most common colour of the whole picture.
    public let dominantColor: RGBColor
    /// SHA-256 of the file's bytes.
    public let digest: SHA256Digest
    /// How long each stage took.
    public var stages: StageDurations
    /// Whether it was found instead of computed.
    public var isCached = false

    /// The analysis for somebody who waited so long for another request's work on the same bytes.
    func joined(after wait: Duration) -> ImageAnalysis {
        var analysis = self
        analysis.stages = StageDurations(queue: wait)
        return analysis
    }
}
