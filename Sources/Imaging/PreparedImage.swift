/// A picture that is ready for a model.
public struct PreparedImage: Sendable {
    /// What the file's header announced.
    public let header: ImageHeader
    /// Red, green, blue, row by row from the top: `cropWidth * cropHeight * 3` bytes (HWC).
    public let pixels: [UInt8]
    /// The most common colour of the whole picture, not only of the crop.
    public let dominantColor: RGBColor
    /// Time spent in the format's decoder.
    public let decodeDuration: Duration
    /// Time spent on resampling and on the dominant colour.
    public let preprocessDuration: Duration
}
