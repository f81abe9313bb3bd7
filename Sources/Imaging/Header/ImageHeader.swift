/// What a picture's header announces.
public struct ImageHeader: Hashable, Sendable {
    /// The format that the bytes showed.
    public let format: ImageFormat
    /// Columns as stored in the file, in pixels; at least 1.
    public let width: Int
    /// Rows as stored in the file, in pixels; at least 1.
    public let height: Int
    /// How the stored picture has to be turned; ``Orientation/upright`` where nothing (or nonsense) is said.
    public let orientation: Orientation

    /// Width times height.
    public var pixelCount: Int { width * height }

    /// The width as seen, after the orientation is applied.
    public var uprightWidth: Int { orientation.swapsAxes ? height : width }

    /// The height as seen, after the orientation is applied.
    public var uprightHeight: Int { orientation.swapsAxes ? width : height }

    /// - Parameters:
    ///   - format: The format of the file.
    ///   - width: Columns as stored.
    ///   - height: Rows as stored.
    ///   - orientation: The EXIF orientation.
    public init(format: ImageFormat, width: Int, height: Int, orientation: Orientation = .upright) {
        self.format = format
        self.width = width
        self.height = height
        self.orientation = orientation
    }
}
