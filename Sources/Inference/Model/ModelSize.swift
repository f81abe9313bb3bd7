/// A width and a height in pixels.
public struct ModelSize: Codable, Equatable, Sendable {
    /// Pixels in a row.
    public let width: Int

    /// Rows.
    public let height: Int

    /// A size in pixels, unchecked.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
