import Imaging
import Inference

/// What is kept of an analysis: all but how long it took and what its key says already.
public struct CachedAnalysis: Sendable, Equatable {
    /// The model's output for the picture, not yet normalised.
    public let embedding: [Float]
    /// Format, stored size and orientation.
    public let header: ImageHeader
    /// The most common colour of the whole picture.
    public let dominantColor: RGBColor

    /// - Parameters:
    ///   - embedding: The model's output.
    ///   - header: The picture's header.
    ///   - dominantColor: The picture's colour.
    public init(embedding: [Float], header: ImageHeader, dominantColor: RGBColor) {
        self.embedding = embedding
        self.header = header
        self.dominantColor = dominantColor
    }

    /// What is kept of this analysis.
    public init(_ analysis: ImageAnalysis) {
        self.init(
            embedding: analysis.embedding, header: analysis.header, dominantColor: analysis.dominantColor)
    }

    /// The analysis again. No stage took any time.
    ///
    /// - Parameter digest: SHA-256 of the picture, as in the key.
    public func analysis(digest: SHA256Digest) -> ImageAnalysis {
        ImageAnalysis(
            embedding: embedding, header: header, dominantColor: dominantColor, digest: digest,
            stages: StageDurations(), isCached: true)
    }
}
